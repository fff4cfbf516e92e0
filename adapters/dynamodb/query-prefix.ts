import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { type Item, toItem } from './item.ts';
import { ownerPartition } from './table-keys.ts';

/** Reads all items of an owner whose sort key begins with the prefix, in order, strongly consistent. */
export async function queryPrefix(
  client: DynamoDBClient,
  tableName: string,
  { ownerId, prefix }: { ownerId: string; prefix: string },
): Promise<Item[]> {
  const items: Item[] = [];
  let startKey: Item | undefined;
  do {
    const page = await client.send(
      new QueryCommand({
        TableName: tableName,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
        ExpressionAttributeValues: toItem({ ':pk': ownerPartition(ownerId), ':prefix': prefix }),
        ConsistentRead: true,
        ExclusiveStartKey: startKey,
      }),
    );
    items.push(...(page.Items ?? []));
    startKey = page.LastEvaluatedKey;
  } while (startKey !== undefined);
  return items;
}
