import {
  BatchWriteItemCommand,
  type BatchWriteItemCommandInput,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { jobItem } from '../../adapters/dynamodb/job-item.ts';
import type { JobIn } from '../../core/jobs/job.ts';
import { newJobId } from '../../functions/runtime/random.ts';
import { jobRequest } from './job-request.ts';

/** The most that one BatchWriteItem takes (DynamoDB's API reference). */
const itemsPerBatch = 25;
const batchesAtOnce = 8;
const minuteMs = 60_000;

/** Puts so many completed jobs of an owner into the table, one a minute up to `now`. */
export async function seedJobs(
  client: DynamoDBClient,
  { tableName, ownerId, count, now }: { tableName: string; ownerId: string; count: number; now: Date },
): Promise<void> {
  let seeded = 0;
  const lane = async () => {
    while (seeded < count) {
      const from = seeded;
      seeded += Math.min(itemsPerBatch, count - from);
      const items = Array.from({ length: seeded - from }, (_, index) =>
        jobItem(aDoneJob(ownerId, new Date(now.getTime() - (from + index) * minuteMs))),
      );
      await put(client, { [tableName]: items.map((Item) => ({ PutRequest: { Item } })) });
    }
  };
  await Promise.all(Array.from({ length: batchesAtOnce }, lane));
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

function aDoneJob(ownerId: string, createdAt: Date): JobIn<'completed'> {
  const jobId = newJobId(createdAt);
  const at = (ms: number) => new Date(createdAt.getTime() + ms).toISOString();
  return {
    ownerId,
    jobId,
    state: 'completed',
    stage: 'done',
    request: jobRequest,
    attempt: 1,
    progress: 100,
    createdAt: at(0),
    startedAt: at(400),
    claimedAt: at(400),
    updatedAt: at(30_000),
    completedAt: at(30_000),
    webhookTarget: null,
    deliveryOutcome: 'none',
    filesExpireAt: '2999-01-01T00:00:00.000Z',
    files: {
      output: {
        file_id: `${jobId}-output`,
        filename: 'in.mp4',
        size_mbytes: 12.5,
        duration: 63,
        file_type: 'video',
        file_format: 'mp4',
        mime_type: 'video/mp4',
        codec: 'h264',
        width: 1280,
        height: 720,
        key: `jobs/${jobId}/1/output.mp4`,
      },
    },
  };
}
