import { BatchWriteItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Item } from './item.ts';

/** The most requests that one BatchWriteItem takes (DynamoDB's API reference). */
const deletesPerBatch = 25;

/** Deletes items by their keys (`pk` and `sk`); whether they still exist does not matter. */
export async function deleteItems(client: DynamoDBClient, tableName: string, items: Item[]): Promise<void> {
  let deletes = items.map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } as Item } }));
  while (deletes.length > 0) {
    const { UnprocessedItems } = await client.send(
      new BatchWriteItemCommand({ RequestItems: { [tableName]: deletes.slice(0, deletesPerBatch) } }),
    );
    const unprocessed = (UnprocessedItems?.[tableName] ?? []) as typeof deletes;
    deletes = [...unprocessed, ...deletes.slice(deletesPerBatch)];
  }
}
