import { createHash, randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import middy from '@middy/core';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { z } from 'zod';

/**
 * The function that create-job's cold start is compared with: it takes the same request and makes the same calls (reads
 * the key, writes a record, sends a message), with what most projects reach for and the way they import it.
 */
const { TABLE_NAME = '', TRANSCODE_QUEUE_URL = '' } = process.env;
const table = DynamoDBDocumentClient.from(new DynamoDBClient());
const queue = new SQSClient({ useQueueUrlAsEndpoint: false });

const requestSchema = z.object({
  mode: z.enum(['recipe']),
  input: z.object({ url: z.url() }),
  output: z.object({ format: z.enum(['mp4', 'mov', 'mkv']) }),
  recipe: z.object({ name: z.string(), crf: z.number().min(1).max(51) }),
});

export const handler = middy<APIGatewayProxyEventV2>().handler(async ({ headers, body }) => {
  const hash = createHash('sha256')
    .update(headers.authorization?.replace('Bearer ', '') ?? '')
    .digest('hex');
  const { Item: key } = await table.send(
    new GetCommand({
      TableName: TABLE_NAME,
      Key: { pk: `KEYHASH#${hash}`, sk: 'KEY' },
      ConsistentRead: true,
    }),
  );
  if (key === undefined) return { statusCode: 401, body: '' };
  const request = requestSchema.parse(JSON.parse(body ?? ''));
  const job = { jobId: randomUUID(), ownerId: key.ownerId, state: 'queued', request };
  await table.send(
    new PutCommand({
      TableName: TABLE_NAME,
      Item: { pk: `OWNER#${job.ownerId}`, sk: `TYPICAL#${job.jobId}`, ...job },
      ConditionExpression: 'attribute_not_exists(pk)',
    }),
  );
  await queue.send(
    new SendMessageCommand({
      QueueUrl: TRANSCODE_QUEUE_URL,
      MessageBody: JSON.stringify({ jobId: job.jobId, ownerId: job.ownerId }),
      MessageGroupId: job.ownerId,
    }),
  );
  return { statusCode: 201, headers: { 'content-type': 'application/json' }, body: JSON.stringify(job) };
});
