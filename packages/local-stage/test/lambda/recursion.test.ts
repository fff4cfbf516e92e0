import { afterUse } from '@media-jobs/testing/after-use';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { beforeEach, describe, expect, it } from 'vitest';
import { callEmulator } from '../../src/emulators/aws-json.ts';
import { createQueues, queueUrl, sendMessage, startSqs } from '../../src/emulators/sqs.ts';
import { emulatorTraffic } from '../../src/emulators/traffic.ts';
import { pollQueue } from '../../src/event-sources/sqs-poller.ts';
import { stageFunctions } from '../../src/lambda/functions.ts';
import { nextTraceHeader } from '../../src/lambda/recursion.ts';
import { eventSourceMapping } from '../../src/template/resources/lambda.ts';
import { aFunction } from '../builders/a-function.ts';
import { endpoints } from '../builders/endpoints.ts';

const queueArn = 'arn:aws:sqs:us-east-1:000000000000:own';

/** Sends the next number to its own queue with the trace header, as an AWS SDK does, until the last. */
const recursive = `exports.handler = async ({ Records: [{ body }] }) => {
  const { url, done, number } = JSON.parse(body);
  const isLast = number === 20;
  await fetch(new URL(url).origin, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'AmazonSQS.SendMessage',
      'x-amz-date': '20260101T000000Z',
      authorization: 'AWS4-HMAC-SHA256 Credential=local, SignedHeaders=host, Signature=local',
      'x-amzn-trace-id': process.env._X_AMZN_TRACE_ID,
    },
    body: JSON.stringify({
      QueueUrl: isLast ? done : url,
      MessageBody: JSON.stringify({ url, done, number: number + 1 }),
    }),
  });
};`;

let sqs: Awaited<ReturnType<typeof startSqs>>;

beforeEach(async () => {
  sqs = await startSqs(await aTemporaryFolder(), emulatorTraffic());
  afterUse(sqs.stop);
  await createQueues(sqs.endpoint, [{ name: 'done' }, { name: 'own' }]);
});

/** Sends the first message to a function that sends to its own queue. Returns what the poller logs first. */
async function startChain({ allowsRecursion }: { allowsRecursion: boolean }): Promise<{ failure: Promise<string> }> {
  const failure = Promise.withResolvers<string>();
  const plan = await aFunction(recursive, { name: 'worker', allowsRecursion });
  const functions = stageFunctions([plan], {
    endpoints,
    temporaryDirectory: await aTemporaryFolder(),
    log: () => undefined,
  });
  afterUse(() => functions.stop());
  const properties = { EventSourceArn: queueArn, FunctionName: 'worker', BatchSize: 1 };
  const mapping = {
    queueArn,
    functionName: 'worker',
    visibilityTimeoutSeconds: 30,
    mapping: eventSourceMapping.properties.parse(properties),
  };
  afterUse(pollQueue(mapping, { ...sqs, functions, log: (_, line) => failure.resolve(line) }).stop);
  const url = queueUrl(sqs.endpoint, 'own');
  const body = { url, done: queueUrl(sqs.endpoint, 'done'), number: 1 };
  await sendMessage(sqs.endpoint, { QueueUrl: url, MessageBody: JSON.stringify(body) });
  return { failure: failure.promise };
}

async function receiveDone(): Promise<number[]> {
  const { Messages = [] } = await callEmulator<{ Messages?: { Body: string }[] }>({
    endpoint: sqs.endpoint,
    target: 'AmazonSQS.ReceiveMessage',
    body: { QueueUrl: queueUrl(sqs.endpoint, 'done'), WaitTimeSeconds: 20 },
  });
  return Messages.map(({ Body }) => JSON.parse(Body).number);
}

describe('a function that sends messages to its own queue', () => {
  it('is stopped after 16 invocations of one chain: the next message stays in the queue', async () => {
    const { failure } = await startChain({ allowsRecursion: false });
    expect(await failure).toContain('the messages stay in the queue: RecursiveInvocationException');
  });

  it('runs on if the template allows recursion', async () => {
    await startChain({ allowsRecursion: true });
    expect(await receiveDone()).toEqual([21]);
  });
});

describe('the trace header of an invocation', () => {
  const rule = (functionName: string) => ({ functionName, allowsRecursion: false });
  const next = (before: string | undefined, functionName: string) =>
    nextTraceHeader(before, '0199c39e-77aa-7d10-b1c4-5f2e8a90d3b6', rule(functionName));

  it('counts each function of the chain for itself', () => {
    let header: string | undefined;
    for (let n = 0; n < 16; n += 1) header = next(next(header, 'one'), 'other');
    expect(() => next(header, 'one')).toThrow('one was invoked 16 times by one chain of requests');
    expect(next(header, 'third')).toMatch(/^Root=[^;]+;Sampled=0;Lineage=\w+:16\|\w+:16\|\w+:1$/);
  });

  it('begins a new chain for an event that no function has sent', () => {
    expect(next(undefined, 'one')).toMatch(/Lineage=\w+:1$/);
    expect(next('Root=1-abc;Sampled=1', 'one')).toMatch(/^Root=1-abc;Sampled=0;Lineage=\w+:1$/);
  });
});
