import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { emptyGroup, freePermit, groupSchema, type Permits, takePermit } from '../../core/permits.ts';
import { toItem } from './item.ts';
import { ownerPartition } from './table-keys.ts';
import { versionedItem } from './versioned-item.ts';

/**
 * Permits on DynamoDB: one item per group, in the partition of the owner with the group's name.
 *
 * @param sort the sort key of these items
 */
export function permits(client: DynamoDBClient, tableName: string, sort: string): Permits {
  const keyOf = (group: string) => toItem({ pk: ownerPartition(group), sk: sort });
  const groups = versionedItem(client, tableName, (attributes) =>
    attributes === undefined ? emptyGroup : groupSchema.parse(attributes),
  );
  return {
    take: async (permit, limit) => {
      let isTaken = false;
      await groups.change(keyOf(permit.group), (before) => {
        const after = takePermit(before, permit, limit);
        isTaken = after !== undefined;
        return after;
      });
      return isTaken;
    },
    free: async ({ group, holder }) => {
      let wasTaken = false;
      await groups.change(keyOf(group), (before) => {
        const after = freePermit(before, holder);
        wasTaken ||= after !== undefined;
        return after;
      });
      return wasTaken;
    },
  };
}
