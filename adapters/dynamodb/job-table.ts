import { isDeepStrictEqual } from 'node:util';
import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { JobChange } from '../../core/jobs/guard.ts';
import type { JobRecord } from '../../core/jobs/job.ts';
import { noteOn } from '../../core/jobs/parallel.ts';
import type { JobRef, JobTable, WriteResult } from '../../core/jobs/ports.ts';
import { guardCondition } from './guard-condition.ts';
import { toItem } from './item.ts';
import { jobItem, jobKey, jobOfItem } from './job-item.ts';
import { listJobs } from './list-jobs.ts';
import { partUpdate } from './part-update.ts';
import { jobIdOfSort, ownerOfPartition } from './table-keys.ts';

/** The job table on DynamoDB: every write but a part's note is one conditional put of one whole item. */
export function jobTable(client: DynamoDBClient, tableName: string): JobTable {
  const get = async (ref: JobRef): Promise<JobRecord | undefined> => {
    const { Item } = await client.send(
      new GetItemCommand({ TableName: tableName, Key: jobKey(ref), ConsistentRead: true }),
    );
    return Item && jobOfItem(Item);
  };

  const write = async ({ job, guard }: JobChange): Promise<WriteResult> => {
    const item = jobItem(job);
    try {
      await client.send(new PutItemCommand({ TableName: tableName, Item: item, ...guardCondition(guard) }));
      return { written: true };
    } catch (cause) {
      if (!(cause instanceof ConditionalCheckFailedException)) throw cause;
      const current = await get(job);
      // A put whose answer was lost is sent again by the SDK and then fails on its own effect.
      if (isDeepStrictEqual(current, jobOfItem(item))) return { written: true };
      return { written: false, current };
    }
  };

  const due: JobTable['due'] = async ({ shard, now, limit, after }) => {
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName: tableName,
        IndexName: 'due',
        KeyConditionExpression: 'duePartition = :shard AND dueAt <= :now',
        ExpressionAttributeValues: toItem({ ':shard': String(shard), ':now': now.toISOString() }),
        Limit: limit,
        ExclusiveStartKey: after && {
          ...jobKey(after),
          ...toItem({ duePartition: String(shard), dueAt: after.dueAt }),
        },
      }),
    );
    return Items.map(({ pk, sk, dueAt }) => ({
      ownerId: ownerOfPartition(pk?.S ?? ''),
      jobId: jobIdOfSort(sk?.S ?? ''),
      dueAt: dueAt?.S ?? '',
    }));
  };

  const note: JobTable['note'] = async (partNote) => {
    try {
      await client.send(new UpdateItemCommand({ TableName: tableName, ...partUpdate(partNote) }));
      return 'noted';
    } catch (cause) {
      if (!(cause instanceof ConditionalCheckFailedException)) throw cause;
      const current = await get(partNote);
      const outcome = noteOn(current?.state === 'deleted' ? undefined : current, partNote);
      // A note whose answer was lost is sent again by the SDK and then fails on its own effect.
      return typeof outcome === 'string' ? outcome : 'needless';
    }
  };

  return { get, write, note, due, list: (listing) => listJobs(client, tableName, listing) };
}
