import { type DynamoDBClient, QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { minJobIdAt } from '../../core/jobs/job-id.ts';
import type { JobListing, JobPage } from '../../core/jobs/ports.ts';
import type { Job } from '../../core/jobs/record.ts';
import { batchGet } from './batch-get.ts';
import { type Item, toItem } from './item.ts';
import { jobFromItem } from './job-item.ts';
import { jobSort, ownerPartition, statePartition } from './table-keys.ts';

/** Sorts after every job id. */
const lastJobId = '~';

/** How many items are read at once where a page was not full, since it met tombstones: those are small. */
const readOnItems = 1_000;

/**
 * A page of an owner's jobs, newest first. Without a state it is read from the owner's partition; with one from the
 * index by state, which may be seconds stale, so that each job is read again and those that have moved on are left out.
 */
export async function listJobs(
  client: DynamoDBClient,
  tableName: string,
  listing: JobListing,
): Promise<JobPage> {
  const { limit, afterJobId, createdAfter, createdBefore } = listing;
  // DynamoDB refuses a range that ends before it begins.
  if (createdAfter !== undefined && createdBefore !== undefined && createdBefore <= createdAfter) {
    return { jobs: [], lastJobId: undefined };
  }
  const jobs: Job[] = [];
  // One more than is wanted, to know whether there is a next page.
  let Limit = limit + 1;
  let startKey = afterJobId === undefined ? undefined : startAfter(listing, afterJobId);
  do {
    const page = await client.send(
      new QueryCommand({ ...query(tableName, listing), Limit, ExclusiveStartKey: startKey }),
    );
    const keys = page.Items ?? [];
    const items = listing.state === undefined ? keys : await batchGet(client, tableName, keys);
    jobs.push(...items.map(jobFromItem).filter((job): job is Job => isListed(job, listing)));
    startKey = page.LastEvaluatedKey;
    if (listing.state === undefined) Limit = readOnItems;
  } while (startKey !== undefined && jobs.length <= limit);
  const shown = jobs.slice(0, limit);
  return { jobs: shown, lastJobId: jobs.length > limit ? shown.at(-1)?.jobId : undefined };
}

function query(
  tableName: string,
  { ownerId, state, createdAfter, createdBefore }: JobListing,
): QueryCommandInput {
  const partition = state === undefined ? 'pk' : 'stateKey';
  return {
    TableName: tableName,
    ...(state === undefined ? {} : { IndexName: 'byState' }),
    KeyConditionExpression: `${partition} = :partition AND sk BETWEEN :first AND :last`,
    ExpressionAttributeValues: toItem({
      ':partition': state === undefined ? ownerPartition(ownerId) : statePartition(ownerId, state),
      ':first': jobSort(createdAfter === undefined ? '' : minJobIdAt(createdAfter)),
      ':last': jobSort(createdBefore === undefined ? lastJobId : minJobIdAt(createdBefore)),
    }),
    ScanIndexForward: false,
  };
}

function startAfter({ ownerId, state }: JobListing, jobId: string): Item {
  return toItem({
    pk: ownerPartition(ownerId),
    sk: jobSort(jobId),
    ...(state === undefined ? {} : { stateKey: statePartition(ownerId, state) }),
  });
}

function isListed(job: { state: string }, { state }: JobListing): boolean {
  return state === undefined ? job.state !== 'deleted' : job.state === state;
}
