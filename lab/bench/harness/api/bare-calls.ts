import { DynamoDBClient, GetItemCommand, type GetItemCommandInput, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { region } from '@media-jobs/local-stage';
import { queueUrl } from '@media-jobs/local-stage/emulators';
import { guardCondition, jobItem, jobKey } from '../../../../adapters/dynamodb/job-item.ts';
import { jobTable } from '../../../../adapters/dynamodb/job-table.ts';
import { toItem } from '../../../../adapters/dynamodb/table.ts';
import {
  eventsPartition,
  keyHashPartition,
  keyHashSort,
  ownerPartition,
  settingsSort,
} from '../../../../adapters/dynamodb/table-keys.ts';
import { newJobId } from '../../../../adapters/system/clock.ts';
import { hashApiKey } from '../../../../core/access/key-record.ts';
import { ownerLimitsSchema } from '../../../../core/access/owner-limits.ts';
import { longJobsQueue } from '../../../../core/jobs/queues.ts';
import { create } from '../../../../core/jobs/transitions.ts';
import { localOwnerId } from '../../../../lib/settings/local-owner.ts';
import type { HostedStage } from '../stage/hosted-stage.ts';
import { jobRequest } from './job-request.ts';

/** Makes the AWS calls of a request without the service; returns their milliseconds. */
export type BareCalls = {
  get(jobId: string): Promise<number>;
  post(): Promise<number>;
  close(): void;
};

/** Owns the jobs of the baseline, so that they do not count towards the limit of unfinished jobs of the owner that is measured. */
const bareOwnerId = 'bare';

/** The calls of GET /jobs/:id and of POST /jobs, with default clients of the AWS SDK. */
export function bareCalls({ endpoints, resources, apiKey }: HostedStage): BareCalls {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local', sessionToken: 'local' };
  const dynamo = new DynamoDBClient({ endpoint: endpoints.dynamodb, region, credentials });
  const sqs = new SQSClient({ endpoint: endpoints.sqs, region, credentials, useQueueUrlAsEndpoint: false });
  const [TableName = ''] = resources.tables;
  const QueueUrl = queueUrl(endpoints.sqs, resources.queues.find((name) => !name.includes('dead')) ?? '');
  const keyKey = { pk: { S: keyHashPartition(hashApiKey(apiKey)) }, sk: { S: keyHashSort } };
  const settingsKey = toItem({ pk: ownerPartition(localOwnerId), sk: settingsSort });
  const jobs = jobTable(dynamo, TableName);
  const { maxUnfinishedJobs } = ownerLimitsSchema.parse({});
  const read = (Key: GetItemCommandInput['Key']) =>
    dynamo.send(new GetItemCommand({ TableName, Key, ConsistentRead: true }));

  return {
    get: (jobId) => {
      const Key = jobKey({ ownerId: localOwnerId, jobId });
      return timed(async () => {
        await read(keyKey);
        await read(Key);
      });
    },
    post: () => {
      const now = new Date();
      const { job, guard } = create({
        ownerId: bareOwnerId,
        jobId: newJobId(now),
        request: jobRequest,
        urlSecret: '',
        now,
      });
      const put = { TableName, Item: jobItem(job), ...guardCondition(guard) };
      const Item = toItem({ pk: eventsPartition(bareOwnerId), sk: `${now.toISOString()}#${job.jobId}` });
      const entry = { TableName, Item, ConditionExpression: 'attribute_not_exists(pk)' };
      const body = JSON.stringify({ ownerId: job.ownerId, jobId: job.jobId });
      const message = { QueueUrl, MessageBody: body, MessageGroupId: job.ownerId };
      return timed(async () => {
        await read(keyKey);
        await read(settingsKey);
        for (const queue of [undefined, longJobsQueue] as const) {
          await jobs.countWaiting({ ownerId: localOwnerId, queue, limit: maxUnfinishedJobs });
        }
        await dynamo.send(new PutItemCommand(entry));
        await dynamo.send(new PutItemCommand(put));
        await sqs.send(new SendMessageCommand(message));
      });
    },
    close: () => {
      dynamo.destroy();
      sqs.destroy();
    },
  };
}

async function timed(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
