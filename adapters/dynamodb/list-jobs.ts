import { type DynamoDBClient, QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { minJobIdAt } from '../../core/jobs/job-id.ts';
import type { JobListing, JobPage } from '../../core/jobs/ports.ts';
import type { Job } from '../../core/jobs/record.ts';
import { batchGet } from './batches.ts';
import { type Item, toItem } from './item.ts';
import { jobFromItem } from './job-item.ts';
import {
  afterEveryId,
  jobIdFromSort,
  jobSort,
  lastIdBefore,
  ownerPartition,
  statePartition,
} from './table-keys.ts';

/** Items of each further read when tombstones left a page incomplete. Tombstones are small. */
const refillItems = 1_000;

/** Thousands of tombstones in a row are read in a fraction of a second. An owner may have hundreds of thousands. */
const defaultMaxReads = 5;

/**
 * Reads a page of an owner's jobs, newest first. Without a state, from the owner's partition, eventually consistent. With
 * a state, from the index `byState`, which may be seconds stale: each job is read again, and deleted ones are omitted.
 *
 * @param itemsPerRefill of each read after the first
 */
export async function listJobs(
  client: DynamoDBClient,
  tableName: string,
  listing: JobListing,
  itemsPerRefill = refillItems,
): Promise<JobPage> {
  const { limit, maxReads = defaultMaxReads } = listing;
  const range = idRange(listing);
  // DynamoDB rejects a range that ends before it begins.
  if (range.last < range.first) return { jobs: [], lastJobId: undefined };
  const jobs: Job[] = [];
  // One item more than requested shows whether there is a next page.
  let Limit = limit + 1;
  let startKey: Item | undefined;
  let reads = 0;
  do {
    const page = await client.send(
      new QueryCommand({ ...query(tableName, listing, range), Limit, ExclusiveStartKey: startKey }),
    );
    const keys = page.Items ?? [];
    const items = listing.state === undefined ? keys : await batchGet(client, tableName, keys);
    jobs.push(...items.map(jobFromItem).filter((job): job is Job => isListed(job, listing)));
    startKey = page.LastEvaluatedKey;
    reads += 1;
    if (listing.state === undefined) Limit = itemsPerRefill;
  } while (startKey !== undefined && jobs.length <= limit && reads < maxReads);
  const listed = jobs.slice(0, limit);
  if (jobs.length > limit) return { jobs: listed, lastJobId: listed.at(-1)?.jobId };
  return { jobs: listed, lastJobId: startKey && jobIdFromSort(sortOf(startKey)) };
}

function sortOf({ sk }: Item): string {
  if (sk?.S === undefined) throw new Error('Expected a key with a sort key');
  return sk.S;
}

type IdRange = { first: string; last: string };

/**
 * The ids between which the jobs of a listing are, both inclusive. No job has the id at the end of a period. A caller can
 * compute the cursor of any position, and DynamoDB rejects a start key outside the range of a query: the position narrows it.
 */
function idRange({ createdAfter, createdBefore, afterJobId }: JobListing): IdRange {
  const ends = [
    createdBefore === undefined ? afterEveryId : minJobIdAt(createdBefore),
    afterJobId === undefined ? afterEveryId : lastIdBefore(afterJobId),
  ];
  return {
    first: createdAfter === undefined ? '' : minJobIdAt(createdAfter),
    last: ends.toSorted()[0] ?? afterEveryId,
  };
}

function query(
  tableName: string,
  { ownerId, state }: JobListing,
  { first, last }: IdRange,
): QueryCommandInput {
  const partition = state === undefined ? 'pk' : 'stateKey';
  return {
    TableName: tableName,
    IndexName: state === undefined ? undefined : 'byState',
    KeyConditionExpression: `${partition} = :partition AND sk BETWEEN :first AND :last`,
    ExpressionAttributeValues: toItem({
      ':partition': state === undefined ? ownerPartition(ownerId) : statePartition(ownerId, state),
      ':first': jobSort(first),
      ':last': jobSort(last),
    }),
    ScanIndexForward: false,
  };
}

function isListed(job: { state: string }, { state }: JobListing): boolean {
  return state === undefined ? job.state !== 'deleted' : job.state === state;
}
