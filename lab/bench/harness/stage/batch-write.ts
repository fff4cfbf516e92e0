import {
  BatchWriteItemCommand,
  type BatchWriteItemCommandInput,
  type DynamoDBClient,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import { inBatches } from './in-batches.ts';

/** The maximum of BatchWriteItem (DynamoDB's API reference). */
const itemsPerBatch = 25;

/** Puts or deletes `count` items of a table; `requestOf` creates the request of each index from 0. */
export async function batchWrite(
  client: DynamoDBClient,
  { tableName, count, requestOf }: { tableName: string; count: number; requestOf: (index: number) => WriteRequest },
): Promise<void> {
  await inBatches({ count, perBatch: itemsPerBatch }, (indexes) =>
    writeAll(client, { [tableName]: indexes.map(requestOf) }),
  );
}

async function writeAll(client: DynamoDBClient, requests: BatchWriteItemCommandInput['RequestItems']): Promise<void> {
  let left = requests;
  while (left !== undefined && Object.keys(left).length > 0) {
    const { UnprocessedItems } = await client.send(new BatchWriteItemCommand({ RequestItems: left }));
    left = UnprocessedItems;
  }
}
