import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import type { OwnerUse } from '../../core/access/owner-use.ts';
import { toItem } from './item.ts';
import { statePartition } from './table-keys.ts';

/** Counts an owner's jobs by the index `byState`. */
export function ownerUse(client: DynamoDBClient, tableName: string): OwnerUse {
  return {
    countJobs: async ({ ownerId, states, maxCounted }) => {
      const counts = await Promise.all(
        states.map(async (state) => {
          const { Count = 0 } = await client.send(
            new QueryCommand({
              TableName: tableName,
              IndexName: 'byState',
              KeyConditionExpression: 'stateKey = :partition',
              ExpressionAttributeValues: toItem({ ':partition': statePartition(ownerId, state) }),
              Select: 'COUNT',
              Limit: maxCounted,
            }),
          );
          return Count;
        }),
      );
      return counts.reduce((sum, count) => sum + count, 0);
    },
  };
}
