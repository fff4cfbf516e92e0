import { isDeepStrictEqual } from 'node:util';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import {
  announcingEvents,
  type EventFeed,
  type FeedEntry,
  feedDays,
  feedEntrySchema,
  positionOf,
} from '../../core/feed/feed-entry.ts';
import type { JobChange } from '../../core/jobs/guard.ts';
import { afterEveryId, lastIdBefore } from '../../core/jobs/job-id.ts';
import type { DueRef, JobTable, WriteResult } from '../../core/jobs/ports.ts';
import { applyChunkProgress, type ChunkProgress, taskMsField } from '../../core/jobs/progress.ts';
import type { QueueName } from '../../core/jobs/queues.ts';
import { maxPriority } from '../../core/jobs/request-limits.ts';
import { inOrder } from '../../core/jobs/unfinished-jobs.ts';
import { systemClock } from '../system/clock.ts';
import { guardCondition, jobFromItem, jobItem, jobKey } from './job-item.ts';
import { listJobs } from './list-jobs.ts';
import { fromItem, type Item, isNew, openTable, type Query, toItem } from './table.ts';
import {
  duePartition,
  endpointIdFromSort,
  endpointSort,
  eventsPartition,
  jobIdFromSort,
  jobPartition,
  jobRefFromPartition,
  ownerIdFromPartition,
  ownerPartition,
  priorityFromWaitingSort,
  waitingPartition,
  waitingSort,
} from './table-keys.ts';

const indexKeySchema = z.object({ pk: z.string(), sk: z.string() });

const waitingEntrySchema = indexKeySchema.extend({ waitingSort: z.string() });

const priorities = Array.from({ length: maxPriority + 1 }, (_, priority) => priority);

/** The job table on DynamoDB, which announces the events of every write in the feed of the job's owner. */
export function jobTable(client: DynamoDBClient, tableName: string): JobTable {
  const feed = eventFeed(client, tableName);
  return announcingEvents({ jobs: jobRecords(client, tableName), feed, clock: systemClock });
}

/** Every write is one conditional put of a whole item, except chunk progress: one update. */
function jobRecords(client: DynamoDBClient, tableName: string): JobTable {
  const table = openTable(client, tableName);

  const get: JobTable['get'] = async (ref, { mayBeStale = false } = {}) => {
    const recent = mayBeStale ? await table.get(jobKey(ref), { mayBeStale }) : undefined;
    const item = recent ?? (await table.get(jobKey(ref)));
    return item && jobFromItem(item);
  };

  const write = async ({ job, guard }: JobChange): Promise<WriteResult> => {
    const item = jobItem(job);
    if (await table.put(item, guardCondition(guard))) return { written: true };
    const current = await get(job);
    // The SDK retries a put whose response was lost. The first put has then made the condition false.
    if (isDeepStrictEqual(current, jobFromItem(item))) return { written: true, isRepeat: true };
    return { written: false, current };
  };

  const due: JobTable['due'] = async ({ kind, shard, now, limit, after }) => {
    const partition = duePartition(kind, shard);
    const last = after && { ...dueKey(after), ...toItem({ duePartition: partition, dueAt: after.dueAt }) };
    return (await table.due(partition, now, { limit, after: last })).map(dueRef);
  };

  const waiting: JobTable['waiting'] = async ({ limit, queue, ownerId = '', after }) => {
    const first = after === undefined ? ownerId : waitingSort({ jobId: afterEveryId, ...after });
    const last = ownerId === '' ? afterEveryId : waitingSort({ ownerId, jobId: afterEveryId });
    // BETWEEN is inclusive: a space makes the first key exclusive.
    const { Items = [] } = await table.page({ ...waitingQuery(queue, `${first} `, last), Limit: limit });
    return Items.map((item) => {
      const { pk, sk, waitingSort: sort } = waitingEntrySchema.parse(fromItem(item));
      const ref = { ownerId: ownerIdFromPartition(pk), jobId: jobIdFromSort(sk) };
      const priority = priorityFromWaitingSort(sort, ref);
      return priority === undefined ? ref : { ...ref, priority };
    });
  };

  const waitingIds: JobTable['waitingIds'] = async (query) => {
    const { ownerId, limit, before = afterEveryId, from = '', order } = query;
    // DynamoDB rejects a limit of 0, and a range that ends before it begins.
    if (limit === 0 || before <= from) return [];
    const idsBetween = async (first: string, last: string) => {
      const own = { ...waitingQuery(query.queue, first, last), ScanIndexForward: order === 'asc' };
      return jobIdsOf(await table.query(own, limit));
    };
    const all = await idsBetween(waitingSort({ ownerId }), waitingSort({ ownerId, jobId: afterEveryId }));
    const found =
      all.length < limit
        ? all.filter((jobId) => from <= jobId && jobId < before)
        : // Of many jobs: each priority has those in the range together, by their ids.
          await Promise.all(
            priorities.map((priority) =>
              idsBetween(
                waitingSort({ ownerId, priority, jobId: from }),
                waitingSort({ ownerId, priority, jobId: lastIdBefore(before) }),
              ),
            ),
          );
    return inOrder(found.flat(), order).slice(0, limit);
  };

  const named: JobTable['named'] = async ({ ownerId, prefix, limit }) => {
    const byName = {
      IndexName: 'byName',
      KeyConditionExpression: 'pk = :pk AND begins_with(nameSort, :prefix)',
      values: { ':pk': ownerPartition(ownerId), ':prefix': prefix },
    };
    return jobIdsOf(await table.query(byName, limit));
  };

  const countWaiting: JobTable['countWaiting'] = async ({ ownerId, queue, ahead, limit }) => {
    const last = waitingSort(ahead ? { ...ahead, jobId: lastIdBefore(ahead.jobId) } : { ownerId, jobId: afterEveryId });
    let counted = 0;
    let startKey: Item | undefined;
    do {
      const rest = { Select: 'COUNT', Limit: limit - counted, ExclusiveStartKey: startKey } as const;
      const page = await table.page({ ...waitingQuery(queue, waitingSort({ ownerId }), last), ...rest });
      counted += page.Count ?? 0;
      startKey = page.LastEvaluatedKey;
    } while (startKey !== undefined && counted < limit);
    return counted;
  };

  const recordChunkProgress: JobTable['recordChunkProgress'] = async (progress) => {
    if ((await table.update(jobKey(progress), chunkProgressUpdate(progress))) !== undefined) return 'recorded';
    const current = await get(progress);
    const outcome = applyChunkProgress(current?.state === 'deleted' ? undefined : current, progress);
    // If the record would accept this progress now, the job was delegated after the update. The next progress is written.
    return typeof outcome === 'string' ? outcome : 'unchanged';
  };

  return {
    get,
    write,
    recordChunkProgress,
    due,
    waiting,
    waitingIds,
    countWaiting,
    named,
    list: (listing) => listJobs(client, tableName, listing),
  };
}

/** A due job, or the delivery of one to an endpoint, which has its item in the partition of the job. */
function dueRef({ pk, sk, dueAt }: { pk: string; sk: string; dueAt: string }): DueRef {
  const endpointId = endpointIdFromSort(sk);
  if (endpointId !== undefined) return { ...jobRefFromPartition(pk), endpointId, dueAt };
  return { ownerId: ownerIdFromPartition(pk), jobId: jobIdFromSort(sk), dueAt };
}

function dueKey({ endpointId, ...ref }: DueRef): Item {
  return endpointId === undefined ? jobKey(ref) : toItem({ pk: jobPartition(ref), sk: endpointSort(endpointId) });
}

function jobIdsOf(keys: readonly Item[]): string[] {
  return keys.map((key) => jobIdFromSort(indexKeySchema.parse(fromItem(key)).sk));
}

function waitingQuery(queue: QueueName | undefined, first: string, last: string): Query {
  return {
    IndexName: 'waiting',
    KeyConditionExpression: 'waitingPartition = :partition AND waitingSort BETWEEN :first AND :last',
    values: { ':partition': waitingPartition(queue), ':first': first, ':last': last },
  };
}

/** Updates the percent and the time of one chunk: only under the job's lease, and never downwards. */
function chunkProgressUpdate(progress: ChunkProgress) {
  const { beat } = progress;
  const set = 'SET chunkProgress.#chunk = :percent, taskMs.#run = :ms, progressVersion = progressVersion + :one';
  return {
    UpdateExpression: beat === undefined ? `${set} REMOVE taskBeats.#run` : `${set}, taskBeats.#run = :beat`,
    ConditionExpression:
      'leaseId = :leaseId AND attribute_exists(chunkProgress) AND attribute_exists(taskMs) AND attribute_exists(taskBeats) AND (attribute_not_exists(chunkProgress.#chunk) OR chunkProgress.#chunk <= :percent) AND (attribute_not_exists(taskMs.#run) OR taskMs.#run < :ms)',
    ExpressionAttributeNames: { '#chunk': String(progress.chunk), '#run': taskMsField(progress) },
    ExpressionAttributeValues: toItem({
      ':percent': progress.percent,
      ':ms': progress.ms,
      ':leaseId': progress.leaseId,
      ':one': 1,
      ':beat': beat,
    }),
  };
}

export function eventFeed(client: DynamoDBClient, tableName: string): EventFeed {
  const table = openTable(client, tableName);
  const itemOf = ({ ownerId, ...fields }: FeedEntry): Item =>
    toItem({
      pk: eventsPartition(ownerId),
      sk: positionOf(fields),
      ...fields,
      // A day more: the cursor of a reader decides what is too old.
      expiresAt: Math.ceil(fields.placeMs / 1000) + (feedDays + 1) * 86_400,
    });
  return {
    add: async (entry) => void (await table.put(itemOf(entry), isNew)),
    move: async (entry, toMs) => void (await table.put(itemOf({ ...entry, movedToMs: toMs }))),
    async get(entry) {
      const item = await table.get(toItem({ pk: eventsPartition(entry.ownerId), sk: positionOf(entry) }));
      return item && fromFeedItem(entry.ownerId, item);
    },
    async list({ ownerId, after, before, limit }) {
      const between = {
        KeyConditionExpression: 'pk = :owner AND sk BETWEEN :after AND :before',
        // BETWEEN is inclusive: a space makes the first key exclusive. No entry has the other, which is a time alone.
        values: { ':owner': eventsPartition(ownerId), ':after': `${after} `, ':before': before },
        ConsistentRead: true,
      };
      return (await table.query(between, limit)).map((item) => fromFeedItem(ownerId, item));
    },
  };
}

function fromFeedItem(ownerId: string, item: Item): FeedEntry {
  return feedEntrySchema.parse({ ...fromItem(item), ownerId });
}
