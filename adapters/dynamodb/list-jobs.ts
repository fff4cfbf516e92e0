import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { idRange } from '../../core/jobs/id-range.ts';
import type { JobListing, JobPage } from '../../core/jobs/ports.ts';
import type { Job } from '../../core/jobs/record.ts';
import { UnreadableJobError } from '../../core/jobs/unreadable-job-error.ts';
import { batchGet } from './batches.ts';
import { tryJobFromItem } from './job-item.ts';
import { type Item, openTable, type Query } from './table.ts';
import { jobIdFromSort, jobSort, ownerPartition, statePartition } from './table-keys.ts';

/** Items of each further read when tombstones left a page incomplete. Tombstones are small. */
const refillItems = 1_000;

/** Thousands of tombstones in a row are read in a fraction of a second. An owner may have hundreds of thousands. */
const defaultMaxReads = 5;

/**
 * Reads a page of an owner's jobs, in the order of their creation. Without a state, from the owner's partition, eventually consistent. With
 * a state, from the index `byState`, which may be seconds stale: each job is read again, and deleted ones are omitted. A
 * record that cannot be read is omitted too, and returned as an error.
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
  if (range.last < range.first) return { jobs: [], lastJobId: undefined, unreadable: [] };
  const table = openTable(client, tableName);
  const jobs: Job[] = [];
  const unreadable: UnreadableJobError[] = [];
  // One item more than requested shows whether there is a next page.
  let Limit = limit + 1;
  let startKey: Item | undefined;
  let reads = 0;
  do {
    const page = await table.page({ ...queryOf(listing, range), Limit, ExclusiveStartKey: startKey });
    const keys = page.Items ?? [];
    const items = listing.state === undefined ? keys : await batchGet(client, tableName, keys);
    for (const job of items.map(tryJobFromItem)) {
      if (job instanceof UnreadableJobError) unreadable.push(job);
      else if (job.state !== 'deleted' && (listing.state ?? job.state) === job.state) jobs.push(job);
    }
    startKey = page.LastEvaluatedKey;
    reads += 1;
    if (listing.state === undefined) Limit = itemsPerRefill;
  } while (startKey !== undefined && jobs.length <= limit && reads < maxReads);
  const listed = jobs.slice(0, limit);
  if (jobs.length > limit) return { jobs: listed, lastJobId: listed.at(-1)?.jobId, unreadable };
  return { jobs: listed, unreadable, lastJobId: startKey && jobIdFromSort(sortOf(startKey)) };
}

function sortOf({ sk }: Item): string {
  if (sk?.S === undefined) throw new Error('Expected a key with a sort key');
  return sk.S;
}

function queryOf({ ownerId, state, order }: JobListing, { first, last }: ReturnType<typeof idRange>): Query {
  const partition = state === undefined ? 'pk' : 'stateKey';
  return {
    IndexName: state === undefined ? undefined : 'byState',
    KeyConditionExpression: `${partition} = :partition AND sk BETWEEN :first AND :last`,
    values: {
      ':partition': state === undefined ? ownerPartition(ownerId) : statePartition(ownerId, state),
      ':first': jobSort(first),
      ':last': jobSort(last),
    },
    ScanIndexForward: order === 'asc',
  };
}
