import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { guardCondition } from '../../../adapters/dynamodb/guard-condition.ts';
import { jobItem, jobKey } from '../../../adapters/dynamodb/job-item.ts';
import { keyHashPartition, keyHashSort } from '../../../adapters/dynamodb/table-keys.ts';
import { hashApiKey } from '../../../core/access/api-key.ts';
import { create } from '../../../core/jobs/transitions.ts';
import { newJobId } from '../../../functions/runtime/random.ts';
import { region } from '../../../local/aws-names.ts';
import { queueUrl } from '../../../local/emulators/sqs.ts';
import { localOwnerId } from '../../../local/stage-table.ts';
import type { HostedStage } from '../stage/hosted-stage.ts';
import { jobRequest } from './job-request.ts';

/** Makes the AWS calls of a request without the service; returns their milliseconds. */
export type BareCalls = {
  get(jobId: string): Promise<number>;
  post(): Promise<number>;
  close(): void;
};

/** The calls of GET /jobs/:id and of POST /jobs, with default clients of the AWS SDK. */
export function bareCalls({ endpoints, resources, apiKey }: HostedStage): BareCalls {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local', sessionToken: 'local' };
  const dynamo = new DynamoDBClient({ endpoint: endpoints.dynamodb, region, credentials });
  const sqs = new SQSClient({ endpoint: endpoints.sqs, region, credentials, useQueueUrlAsEndpoint: false });
  const [TableName = ''] = resources.tables;
  const QueueUrl = queueUrl(endpoints.sqs, resources.queues.find((name) => !name.includes('dead')) ?? '');
  const keyKey = { pk: { S: keyHashPartition(hashApiKey(apiKey)) }, sk: { S: keyHashSort } };
  const readKey = () => dynamo.send(new GetItemCommand({ TableName, Key: keyKey, ConsistentRead: true }));

  return {
    get: (jobId) => {
      const Key = jobKey({ ownerId: localOwnerId, jobId });
      return timed(async () => {
        await readKey();
        await dynamo.send(new GetItemCommand({ TableName, Key, ConsistentRead: true }));
      });
    },
    post: () => {
      const now = new Date();
      const { job, guard } = create({
        ownerId: localOwnerId,
        jobId: newJobId(now),
        request: jobRequest,
        urlSecret: '',
        now,
      });
      const put = { TableName, Item: jobItem(job), ...guardCondition(guard) };
      const body = JSON.stringify({ ownerId: job.ownerId, jobId: job.jobId });
      const message = { QueueUrl, MessageBody: body, MessageGroupId: job.ownerId };
      return timed(async () => {
        await readKey();
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
