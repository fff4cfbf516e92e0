import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { type Erasures, erasureSchema, type StoredJob } from '../../core/access/erasure.ts';
import { afterEveryId, firstIdAfter } from '../../core/jobs/job-id.ts';
import type { RecordState } from '../../core/jobs/record.ts';
import { deleteItems, deletePrefix } from './batches.ts';
import { fromItem, type Item, isNew, openTable, prefixQuery, toItem } from './table.ts';
import {
  batchesPartition,
  erasureSort,
  erasuresPartition,
  jobIdFromSort,
  jobPartition,
  jobSort,
  ownerIdFromPartition,
  ownerPartition,
  partitionsOfOwner,
} from './table-keys.ts';

const storedJobSchema = z.object({ sk: z.string(), state: z.string(), dueAt: z.string().optional() });

export function erasures(client: DynamoDBClient, tableName: string): Omit<Erasures, 'find' | 'request'> {
  const table = openTable(client, tableName);
  return {
    due: async () => {
      const items = await table.query({
        IndexName: 'due',
        KeyConditionExpression: 'duePartition = :partition',
        values: { ':partition': erasuresPartition },
      });
      return items.map((item) => {
        const { pk, dueAt } = fromItem(item);
        return erasureSchema.parse({ ownerId: ownerIdFromPartition(String(pk)), requestedAt: dueAt });
      });
    },
    jobs: async (ownerId, { afterJobId, limit }) => {
      const { Items = [] } = await table.page({
        KeyConditionExpression: 'pk = :owner AND sk BETWEEN :first AND :last',
        values: {
          ':owner': ownerPartition(ownerId),
          ':first': jobSort(afterJobId === undefined ? '' : firstIdAfter(afterJobId)),
          ':last': jobSort(afterEveryId),
        },
        ProjectionExpression: 'sk, #state, dueAt',
        ExpressionAttributeNames: { '#state': 'state' },
        Limit: limit,
        ConsistentRead: true,
      });
      return Items.map(storedJobFrom);
    },
    removeJobs: async (ownerId, jobIds) => {
      // The record goes last: without it nothing leads to what lies beside it.
      for (const jobId of jobIds)
        await deletePrefix(client, tableName, { partition: jobPartition({ ownerId, jobId }) });
      const keys = jobIds.map((jobId) => toItem({ pk: ownerPartition(ownerId), sk: jobSort(jobId) }));
      await deleteItems(client, tableName, keys);
    },
    removeBatches: (ownerId) => deletePrefix(client, tableName, { partition: batchesPartition(ownerId) }),
    removeRecords: async (ownerId, { runningParts, ...options }) => {
      for (const partition of partitionsOfOwner(ownerId, runningParts)) {
        const removed = await deletePrefix(client, tableName, { partition }, options);
        if (removed === 'incomplete') return removed;
      }
      const owned = await table.query({ ...prefixQuery(ownerPartition(ownerId), ''), ProjectionExpression: 'pk, sk' });
      const others = owned.filter(({ sk }) => sk?.S !== erasureSort);
      await deleteItems(client, tableName, others);
      return 'complete';
    },
    end: (ownerId) => deleteItems(client, tableName, [erasureKey(ownerId)]),
  };
}

function storedJobFrom(item: Item): StoredJob {
  const { sk, state, dueAt } = storedJobSchema.parse(fromItem(item));
  return { jobId: jobIdFromSort(sk), state: state as RecordState, isSwept: state === 'deleted' && dueAt === undefined };
}

function erasureKey(ownerId: string): Item {
  return toItem({ pk: ownerPartition(ownerId), sk: erasureSort });
}

/** Requests to erase all data of an owner, on DynamoDB. The item of a request is in the index of due work until the erasure is done. */
export function erasureRequests(client: DynamoDBClient, tableName: string): Pick<Erasures, 'find' | 'request'> {
  const table = openTable(client, tableName);
  const find: Erasures['find'] = async (ownerId) => {
    const item = await table.get(erasureKey(ownerId));
    return item && erasureSchema.parse({ ...fromItem(item), ownerId });
  };
  return {
    find,
    request: async (erasure) => {
      const { ownerId, requestedAt } = erasure;
      const due = { duePartition: erasuresPartition, dueAt: requestedAt };
      const item = { ...erasureKey(ownerId), ...toItem({ requestedAt, ...due }) };
      return (await table.put(item, isNew)) ? erasure : ((await find(ownerId)) ?? erasure);
    },
  };
}
