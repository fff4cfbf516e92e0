import { ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterUse } from '@media-jobs/testing/after-use';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { clientOptions } from '../../src/aws-names.ts';
import { createQueues, queueUrl, startSqs } from '../../src/emulators/sqs.ts';
import { emulatorTraffic } from '../../src/emulators/traffic.ts';
import { pollQueue } from '../../src/event-sources/sqs-poller.ts';
import { InvocationError } from '../../src/lambda/invocation-error.ts';
import type { InvocationResult } from '../../src/lambda/runtime-api.ts';
import { eventSourceMapping } from '../../src/template/resources/lambda.ts';

const queueArn = 'arn:aws:sqs:us-east-1:000000000000:jobs';
const reports = { FunctionResponseTypes: ['ReportBatchItemFailures'] };

type SqsEvent = { Records: { messageId: string; body: string }[] };
type Handler = (event: SqsEvent) => Promise<InvocationResult>;

let emulator: Awaited<ReturnType<typeof startSqs>>;
let client: SQSClient;

beforeEach(async () => {
  emulator = await startSqs(await aTemporaryFolder(), emulatorTraffic());
  afterUse(emulator.stop);
  await theQueue({ visibilitySeconds: 30 });
  client = new SQSClient(clientOptions(emulator.endpoint));
});

async function theQueue({ visibilitySeconds }: { visibilitySeconds: number }): Promise<void> {
  const RedrivePolicy = {
    deadLetterTargetArn: 'arn:aws:sqs:us-east-1:000000000000:dead',
    maxReceiveCount: 2,
  };
  const jobs = { name: 'jobs', VisibilityTimeout: visibilitySeconds, RedrivePolicy };
  await createQueues(emulator.endpoint, [jobs, { name: 'dead' }]);
}

function polling(handler: Handler, mapping: object = {}, visibilityTimeoutSeconds = 30): void {
  const properties = { EventSourceArn: queueArn, FunctionName: 'worker', BatchSize: 1, ...mapping };
  const plan = {
    queueArn,
    functionName: 'worker',
    visibilityTimeoutSeconds,
    mapping: eventSourceMapping.properties.parse(properties),
  };
  const invoke = (_: string, event: unknown) => handler(event as SqsEvent);
  const functions = { invoke };
  afterUse(pollQueue(plan, { ...emulator, functions, log: () => undefined }).stop);
}

const send = async (MessageBody: string) => {
  const QueueUrl = queueUrl(emulator.endpoint, 'jobs');
  return (await client.send(new SendMessageCommand({ QueueUrl, MessageBody }))).MessageId;
};

const receiveDead = async () => {
  const command = new ReceiveMessageCommand({
    QueueUrl: queueUrl(emulator.endpoint, 'dead'),
    WaitTimeSeconds: 20,
    MaxNumberOfMessages: 10,
  });
  return (await client.send(command)).Messages?.map(({ Body }) => Body);
};

const done: InvocationResult = { ok: true, payload: 'null' };
const failedItems = (...ids: unknown[]): InvocationResult => ({
  ok: true,
  payload: JSON.stringify({ batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })) }),
});

describe('a message', () => {
  it('reaches the function as an SQS event', async () => {
    const seen = Promise.withResolvers<SqsEvent>();
    polling(async (event) => {
      seen.resolve(event);
      return done;
    });
    const messageId = await send('{"jobId":"1"}');
    expect(await seen.promise).toEqual({
      Records: [
        {
          messageId,
          receiptHandle: expect.any(String),
          body: '{"jobId":"1"}',
          attributes: expect.objectContaining({
            ApproximateReceiveCount: '1',
            SentTimestamp: expect.any(String),
          }),
          messageAttributes: {},
          md5OfBody: expect.stringMatching(/^[0-9a-f]{32}$/),
          eventSource: 'aws:sqs',
          eventSourceARN: queueArn,
          awsRegion: 'us-east-1',
        },
      ],
    });
  });

  it('is deleted after the function has handled it', async () => {
    const handler = vi.fn(async () => done);
    polling(handler);
    await send('one');
    await send('two');
    await expect.poll(() => handler).toHaveBeenCalledTimes(2);
    await expect.poll(async () => (await contents()).inflight).toEqual([]);
    expect((await contents()).ready).toEqual([]);
  });

  it.each<[string, object, Handler]>([
    [
      'that the function throws over',
      {},
      async () => ({ ok: false, error: { errorType: 'Error', errorMessage: 'no' } }),
    ],
    ['that the function cannot be invoked for', {}, async () => Promise.reject(new Error('throttled'))],
    ['that the function reports', reports, async ({ Records }) => failedItems(...Records.map((r) => r.messageId))],
    ['whose report cannot be read', reports, async () => failedItems('not in the batch')],
  ])('%s reappears, and goes to the dead-letter queue after its second receive', async (_, mapping, handler) => {
    await theQueue({ visibilitySeconds: 0 });
    const invoked = vi.fn(handler);
    polling(invoked, mapping);
    await send('bad');
    expect(await receiveDead()).toEqual(['bad']);
    expect(invoked).toHaveBeenCalledTimes(2);
  });

  it('that was not reported is deleted although another one failed', async () => {
    await theQueue({ visibilitySeconds: 2 });
    const seen: string[][] = [];
    await send('good');
    await send('bad');
    polling(
      async ({ Records }) => {
        seen.push(Records.map(({ body }) => body));
        return failedItems(...Records.filter(({ body }) => body === 'bad').map(({ messageId }) => messageId));
      },
      { ...reports, BatchSize: 10 },
    );
    expect(await receiveDead()).toEqual(['bad']);
    expect(seen).toEqual([['good', 'bad'], ['bad']]);
  });
});

it.each([
  ['the poller respects the maximum concurrency of the mapping', { ScalingConfig: { MaximumConcurrency: 2 } }, 2],
  [
    'provisioned pollers make ten invocations each at the same time',
    { ProvisionedPollerConfig: { MinimumPollers: 2, MaximumPollers: 2 } },
    20,
  ],
])('%s', async (_, mapping, count) => {
  const release = Promise.withResolvers<InvocationResult>();
  const handler = vi.fn(() => release.promise);
  polling(handler, mapping);
  for (let n = 0; n <= count; n += 1) await send(`message ${n}`);
  await expect.poll(() => handler).toHaveBeenCalledTimes(count);
  expect((await contents()).ready).toHaveLength(1);
  release.resolve(done);
  await expect.poll(() => handler).toHaveBeenCalledTimes(count + 1);
});

describe('a throttled invocation', () => {
  const throttled = () => Promise.reject(new InvocationError('TooManyRequestsException', 'Rate Exceeded.'));

  it('is repeated with the same messages', async () => {
    const ids: unknown[] = [];
    const twice = Promise.withResolvers<void>();
    const handler = async ({ Records }: SqsEvent) => {
      ids.push(Records[0]?.messageId);
      if (ids.length === 1) return throttled();
      twice.resolve();
      return done;
    };
    polling(handler);
    const id = await send('waits');
    await twice.promise;
    expect(ids).toEqual([id, id]);
    await expect.poll(async () => (await contents()).inflight).toEqual([]);
  });

  it('messages of a function that stays throttled reappear, and go to the dead-letter queue', async () => {
    await theQueue({ visibilitySeconds: 1 });
    polling(throttled, {}, 1);
    await send('never');
    expect(await receiveDead()).toEqual(['never']);
  });
});

/** Number of messages in the queue, including those in flight. */
async function contents(): Promise<{ ready: unknown[]; inflight: unknown[] }> {
  const response = await fetch(`${emulator.endpoint}/_fauxqs/queues/jobs`);
  return ((await response.json()) as { messages: { ready: unknown[]; inflight: unknown[] } }).messages;
}
