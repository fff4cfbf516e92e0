import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { jobItem } from '../../../../adapters/dynamodb/job-item.ts';
import type { JobRecord } from '../../../../core/jobs/record.ts';
import { batchWrite } from './batch-write.ts';

/** Writes jobs to the table; `jobOf` creates the job of each index from 0. */
export async function putJobs(
  client: DynamoDBClient,
  { tableName, count, jobOf }: { tableName: string; count: number; jobOf: (index: number) => JobRecord },
): Promise<void> {
  const requestOf = (index: number) => ({ PutRequest: { Item: jobItem(jobOf(index)) } });
  await batchWrite(client, { tableName, count, requestOf });
}
