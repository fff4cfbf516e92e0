import { type DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { type Erasures, erasureSchema } from '../../core/access/erasure.ts';
import { fromItem, type Item, toItem, writeIf } from './item.ts';
import { erasureSort, erasuresPartition, ownerPartition } from './table-keys.ts';

/** The key of an owner's request. */
export function erasureKey(ownerId: string): Item {
  return toItem({ pk: ownerPartition(ownerId), sk: erasureSort });
}

/** The requests of owners. The item of one is in the index of due work until the erasure is done. */
export function erasureRequests(client: DynamoDBClient, tableName: string): Pick<Erasures, 'find' | 'request'> {
  const find: Erasures['find'] = async (ownerId) => {
    const { Item } = await client.send(
      new GetItemCommand({ TableName: tableName, Key: erasureKey(ownerId), ConsistentRead: true }),
    );
    return Item && erasureSchema.parse({ ...fromItem(Item), ownerId });
  };

  return {
    find,
    request: async (erasure) => {
      const { ownerId, requestedAt } = erasure;
      const due = { duePartition: erasuresPartition, dueAt: requestedAt };
      const command = new PutItemCommand({
        TableName: tableName,
        Item: { ...erasureKey(ownerId), ...toItem({ requestedAt, ...due }) },
        ConditionExpression: 'attribute_not_exists(pk)',
      });
      return (await writeIf(() => client.send(command))) ? erasure : ((await find(ownerId)) ?? erasure);
    },
  };
}
