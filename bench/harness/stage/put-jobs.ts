import {
  BatchWriteItemCommand,
  type BatchWriteItemCommandInput,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { jobItem } from '../../../adapters/dynamodb/job-item.ts';
import type { JobRecord } from '../../../core/jobs/record.ts';
import { inBatches } from './in-batches.ts';

/** The maximum of BatchWriteItem (DynamoDB's API reference). */
const itemsPerBatch = 25;

/** Writes jobs to the table; `jobOf` creates the job of each index from 0. */
export async function putJobs(
  client: DynamoDBClient,
  { tableName, count, jobOf }: { tableName: string; count: number; jobOf: (index: number) => JobRecord },
): Promise<void> {
  await inBatches({ count, perBatch: itemsPerBatch }, async (indexes) => {
    const items = indexes.map((index) => jobItem(jobOf(index)));
    await put(client, { [tableName]: items.map((Item) => ({ PutRequest: { Item } })) });
  });
}

async function put(
  client: DynamoDBClient,
  requests: BatchWriteItemCommandInput['RequestItems'],
): Promise<void> {
  let left = requests;
  while (left !== undefined && Object.keys(left).length > 0) {
    const { UnprocessedItems } = await client.send(new BatchWriteItemCommand({ RequestItems: left }));
    left = UnprocessedItems;
  }
}
