import { createHash } from 'node:crypto';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterEveryId } from '../../core/jobs/job-id.ts';
import type { IndexedJob, MetadataIndex } from '../../core/jobs/metadata-index.ts';
import { deleteItems, putItems } from './batches.ts';
import { fromItem, type Item, openTable, toItem } from './table.ts';
import { metadataPartition, metadataSort } from './table-keys.ts';

/**
 * The index of metadata on DynamoDB: an item for each pair, in a partition for each value of an owner, sorted by key and job.
 * Values and keys are hashed: a partition key has at most 2,048 bytes, a sort key 1,024.
 */
export function metadataIndex(client: DynamoDBClient, tableName: string): MetadataIndex {
  return {
    add: (job) => putItems(client, tableName, entriesOf(job)),
    remove: (job) => deleteItems(client, tableName, entriesOf(job)),
    find: async ({ ownerId, key, value, first = '', last = afterEveryId, limit, order = 'desc' }) => {
      if (last < first) return [];
      const [from, to] = key === undefined ? [firstOfHash, afterEveryId] : [sortOf(key, first), sortOf(key, last)];
      const between = {
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
        values: { ':pk': partitionOf(ownerId, value), ':from': from, ':to': to },
        ScanIndexForward: order === 'asc',
      };
      const items = await openTable(client, tableName).query(between, limit);
      return items.map((item) => String(fromItem(item).sk).slice(hashLength + 1));
    },
  };
}

function entriesOf({ ownerId, jobId, metadata }: IndexedJob): Item[] {
  return Object.entries(metadata).map(([key, value]) =>
    toItem({ pk: partitionOf(ownerId, value), sk: sortOf(key, jobId) }),
  );
}

const partitionOf = (ownerId: string, value: string) => metadataPartition(ownerId, hash(value));
const sortOf = (key: string, jobId: string) => metadataSort(hash(key), jobId);

/** Sorts before every hash. A value of a key condition must not be empty. */
const firstOfHash = '-';

/** Characters of a hash: 128 bits. */
const hashLength = 22;

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, hashLength);
}
