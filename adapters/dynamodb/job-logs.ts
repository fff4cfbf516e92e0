import { type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { attemptLogSchema, type JobLogs } from '../../core/jobs/attempt-log.ts';
import type { JobRef } from '../../core/jobs/ports.ts';
import { fromItem, toItem } from './item.ts';
import { deletePrefix, queryPrefix } from './query-prefix.ts';
import { logSort, logSortPrefix, ownerPartition } from './table-keys.ts';

/** Job logs on DynamoDB: one item per attempt. */
export function jobLogs(client: DynamoDBClient, tableName: string): JobLogs {
  const prefixOf = ({ ownerId, jobId }: JobRef) => ({
    partition: ownerPartition(ownerId),
    prefix: logSortPrefix(jobId),
  });

  return {
    put: async ({ ownerId, jobId }, log, expiresAt) => {
      const item = {
        ...attemptLogSchema.parse(log),
        pk: ownerPartition(ownerId),
        sk: logSort(jobId, log.attempt),
        expiresAt: Math.ceil(expiresAt.getTime() / 1000),
      };
      await client.send(new PutItemCommand({ TableName: tableName, Item: toItem(item) }));
    },
    list: async (ref) => {
      const logs = (await queryPrefix(client, tableName, prefixOf(ref))).map((item) =>
        attemptLogSchema.parse(fromItem(item)),
      );
      return logs.sort((a, b) => a.attempt - b.attempt);
    },
    removeAll: (ref, options) => deletePrefix(client, tableName, prefixOf(ref), options),
  };
}
