import {
  BatchWriteItemCommand,
  type BatchWriteItemCommandInput,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { jobItem } from '../../adapters/dynamodb/job-item.ts';
import { settleDelivery } from '../../core/jobs/after-the-end.ts';
import type { EndedJob } from '../../core/jobs/job.ts';
import { cancel, create } from '../../core/jobs/transitions.ts';
import { newJobId } from '../../functions/runtime/random.ts';
import { jobRequest } from './job-request.ts';

/** The most that one BatchWriteItem takes (DynamoDB's API reference). */
const itemsPerBatch = 25;
const batchesAtOnce = 8;
const minuteMs = 60_000;

/**
 * Puts so many cancelled jobs of an owner into the table, one a minute up to `now`. They have no files: signing URLs for
 * twice as many is what a full page would otherwise be slower by than the half one of an owner with ten jobs.
 */
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
        jobItem(aCancelledJob(ownerId, new Date(now.getTime() - (from + index) * minuteMs))),
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

/** A record of the service's own making. Nothing is due of it, or reconcile would be busy with thousands. */
function aCancelledJob(ownerId: string, now: Date): EndedJob {
  const accepted = create({ ownerId, jobId: newJobId(now), request: jobRequest, now });
  const { job } = cancel(accepted.job, { now, webhookTarget: null, deliveryId: 'none' });
  return settleDelivery(job, 'none', 'none').job;
}
