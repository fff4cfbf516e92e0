import * as z from 'zod';
import { region } from '../aws-names.ts';
import { callEmulator } from '../emulators/aws-json.ts';
import { queueNameOf, queueUrl } from '../emulators/sqs.ts';
import type { Functions } from '../lambda/functions.ts';
import type { InvocationResult } from '../lambda/runtime-api.ts';
import type { Log } from '../log.ts';
import type { StagePlan } from '../template/stage-plan.ts';

export type PollerOptions = {
  /** Base URL of the SQS emulator. */
  endpoint: string;
  functions: Functions;
  log: Log;
};

/** Something that runs until it is stopped. */
export type Running = { stop(): Promise<void> };

type Message = {
  MessageId: string;
  ReceiptHandle: string;
  Body: string;
  MD5OfBody: string;
  Attributes?: Record<string, string>;
  MessageAttributes?: Record<string, unknown>;
};

const batchItemFailures = z.object({
  batchItemFailures: z.array(z.object({ itemIdentifier: z.string().min(1) })).nullish(),
});

// What AWS scales to when a mapping sets no limit is 1,000; pollers here start as many as there are messages.
const mostConcurrency = 1000;

// The longest that SQS lets a receive wait.
const waitSeconds = 20;

/**
 * Polls a queue for a function as an event source mapping does: messages that were dealt with are deleted, the others
 * come back when their visibility time-out ends, and go to the dead-letter queue by the queue's own redrive policy.
 */
export function pollQueue(plan: StagePlan['queueMappings'][number], options: PollerOptions): Running {
  const { mapping, functionName } = plan;
  const url = queueUrl(options.endpoint, queueNameOf(plan.queueArn));
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  const most = mapping.ScalingConfig?.MaximumConcurrency ?? mostConcurrency;

  const call = <T>(operation: string, body: object, signal?: AbortSignal) =>
    callEmulator<T>({
      endpoint: options.endpoint,
      target: `AmazonSQS.${operation}`,
      body: { QueueUrl: url, ...body },
      ...(signal ? { signal } : {}),
    });

  async function receive(): Promise<Message[]> {
    const { Messages = [] } = await call<{ Messages?: Message[] }>(
      'ReceiveMessage',
      {
        MaxNumberOfMessages: mapping.BatchSize,
        WaitTimeSeconds: waitSeconds,
        MessageSystemAttributeNames: ['All'],
        MessageAttributeNames: ['All'],
      },
      stopping.signal,
    );
    return Messages;
  }

  async function deal(messages: Message[]): Promise<void> {
    try {
      const event = { Records: messages.map((message) => recordOf(message, plan.queueArn)) };
      const result = await options.functions.invoke(functionName, event);
      const failed = failedMessages(messages, result, mapping.FunctionResponseTypes.length > 0);
      const done = messages.filter(({ MessageId }) => !failed.has(MessageId));
      await Promise.all(done.map(({ ReceiptHandle }) => call('DeleteMessage', { ReceiptHandle })));
    } catch (error) {
      options.log(`queue of ${functionName}`, `the messages stay in the queue: ${String(error)}`);
    }
  }

  async function poll(): Promise<void> {
    while (!stopping.signal.aborted) {
      if (running.size >= most) {
        await Promise.race(running);
        continue;
      }
      const messages = await receive().catch((error) => pauseAfter(error, stopping.signal));
      if (messages.length === 0) continue;
      const dealing = deal(messages).finally(() => running.delete(dealing));
      running.add(dealing);
    }
  }

  // Without a pause, a queue that refuses every receive would keep this process busy.
  async function pauseAfter(error: unknown, signal: AbortSignal): Promise<Message[]> {
    if (signal.aborted) return [];
    options.log(`queue of ${functionName}`, `receiving failed, trying again: ${String(error)}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
    return [];
  }

  const polling = poll();
  return {
    async stop() {
      stopping.abort();
      await polling;
    },
  };
}

function recordOf(message: Message, eventSourceARN: string): object {
  return {
    messageId: message.MessageId,
    receiptHandle: message.ReceiptHandle,
    body: message.Body,
    attributes: message.Attributes ?? {},
    messageAttributes: lowerFirst(message.MessageAttributes ?? {}),
    md5OfBody: message.MD5OfBody,
    eventSource: 'aws:sqs',
    eventSourceARN,
    awsRegion: region,
  };
}

// SQS says `StringValue`, the event `stringValue`.
function lowerFirst(attributes: Record<string, unknown>): Record<string, unknown> {
  const renamed = (value: unknown) =>
    Object.fromEntries(
      Object.entries(value ?? {}).map(([key, item]) => [key[0]?.toLowerCase() + key.slice(1), item]),
    );
  return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, renamed(value)]));
}

/**
 * The ids of the messages that stay in the queue. An answer that cannot be read, or names a message that was not in
 * the batch, fails the whole batch, as on AWS.
 */
function failedMessages(messages: Message[], result: InvocationResult, reportsItems: boolean): Set<string> {
  const all = new Set(messages.map(({ MessageId }) => MessageId));
  if (!result.ok) return all;
  if (!reportsItems) return new Set();
  const answer = batchItemFailures.nullable().safeParse(JSON.parse(result.payload));
  if (!answer.success) return all;
  const failed = (answer.data?.batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier);
  return failed.every((id) => all.has(id)) ? new Set(failed) : all;
}
