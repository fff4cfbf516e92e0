import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { PurgeQueueCommand, SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { clientOptions, queueUrl } from '@media-jobs/local-stage/emulators';
import { jobKey } from '../../../../adapters/dynamodb/job-item.ts';
import { newJobId } from '../../../../adapters/system/clock.ts';
import { ownerLimitsSchema } from '../../../../core/access/owner-limits.ts';
import { create } from '../../../../core/jobs/transitions.ts';
import { jobRequest } from '../api/job-request.ts';
import { batchWrite } from './batch-write.ts';
import type { HostedStage } from './hosted-stage.ts';
import { inBatches } from './in-batches.ts';
import { putJobs } from './put-jobs.ts';

/** The maximum of SendMessageBatch (SQS's API reference). */
const messagesPerBatch = 10;
const hourMs = 3_600_000;

/** As many as an owner may have by default. */
const { maxUnfinishedJobs: jobsPerOwner } = ownerLimitsSchema.parse({});

/**
 * Queues jobs of other owners as create-job does: a record and a message each. Their `dueAt` is in an hour instead of
 * five minutes, so that reconcile does not send them again during the measurement. With `isRemoved`, their records and
 * messages are then deleted: the stage has no queued jobs, and its emulators are as warm.
 */
export async function seedBacklog(
  { endpoints, resources }: HostedStage,
  { count, isRemoved }: { count: number; isRemoved: boolean },
): Promise<void> {
  const dynamo = new DynamoDBClient(clientOptions(endpoints.dynamodb));
  const sqs = new SQSClient({ ...clientOptions(endpoints.sqs), useQueueUrlAsEndpoint: false });
  const now = new Date();
  const ids = Array.from({ length: count }, () => newJobId(now));
  const refOf = (index: number) => ({
    ownerId: `owner-${Math.floor(index / jobsPerOwner)}`,
    jobId: ids[index] ?? '',
  });
  const [tableName = ''] = resources.tables;
  const QueueUrl = queueUrl(endpoints.sqs, resources.queues.find((name) => !name.includes('dead')) ?? '');
  try {
    const dueAt = new Date(now.getTime() + hourMs).toISOString();
    const jobOf = (index: number) => ({
      ...create({ ...refOf(index), request: jobRequest, urlSecret: '', now }).job,
      dueAt,
    });
    await putJobs(dynamo, { tableName, count, jobOf });
    await inBatches({ count, perBatch: messagesPerBatch }, (indexes) => {
      const Entries = indexes.map((index) => ({
        Id: String(index),
        MessageBody: JSON.stringify(refOf(index)),
        MessageGroupId: refOf(index).ownerId,
      }));
      return sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    });
    if (!isRemoved) return;
    const requestOf = (index: number) => ({ DeleteRequest: { Key: jobKey(refOf(index)) } });
    await batchWrite(dynamo, { tableName, count, requestOf });
    await sqs.send(new PurgeQueueCommand({ QueueUrl }));
  } finally {
    dynamo.destroy();
    sqs.destroy();
  }
}
