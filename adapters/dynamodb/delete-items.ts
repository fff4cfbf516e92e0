import { BatchWriteItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type Pacing, sendInBatches } from './batches.ts';
import type { Item } from './item.ts';

/** The most requests that one BatchWriteItem takes (DynamoDB's API reference). */
const deletesPerBatch = 25;

/**
 * Deletes items by their keys (`pk` and `sk`); whether they still exist does not matter.
 * @throws AppError UNAVAILABLE where the table cannot keep up
 */
export async function deleteItems(
  client: DynamoDBClient,
  tableName: string,
  items: readonly Item[],
  pacing?: Pacing,
): Promise<void> {
  await sendInBatches({
    requests: items.map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } as Item } })),
    maxPerCall: deletesPerBatch,
    send: async (deletes) => {
      const { UnprocessedItems } = await client.send(
        new BatchWriteItemCommand({ RequestItems: { [tableName]: deletes } }),
      );
      return (UnprocessedItems?.[tableName] ?? []) as typeof deletes;
    },
    pacing,
  });
}
