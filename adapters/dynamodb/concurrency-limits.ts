import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  type ConcurrencyLimits,
  emptyLimit,
  enterLimit,
  leaveLimit,
  limitSchema,
} from '../../core/concurrency-limit.ts';
import { openTable, toItem, versionedItem } from './table.ts';
import { ownerPartition } from './table-keys.ts';

/**
 * Limits on DynamoDB: one item for each, in the partition of the owner with the name of the limit.
 *
 * @param sort the sort key of these items
 */
export function concurrencyLimits(client: DynamoDBClient, tableName: string, sort: string): ConcurrencyLimits {
  const keyOf = (limit: string) => toItem({ pk: ownerPartition(limit), sk: sort });
  const limits = versionedItem(openTable(client, tableName), (attributes) =>
    attributes === undefined ? emptyLimit : limitSchema.parse(attributes),
  );
  return {
    enter: async (entry, most) => {
      let isEntered = false;
      await limits.change(keyOf(entry.limit), (before) => {
        const after = enterLimit(before, entry, most);
        isEntered = after !== undefined;
        return after;
      });
      return isEntered;
    },
    leave: async ({ limit, name }) => {
      let wasEntered = false;
      await limits.change(keyOf(limit), (before) => {
        const after = leaveLimit(before, name);
        wasEntered ||= after !== undefined;
        return after;
      });
      return wasEntered;
    },
  };
}
