import { setTimeout as sleep } from 'node:timers/promises';
import pRetry from 'p-retry';
import { callEmulator } from '../emulators/aws-json.ts';
import type { MessageTraces } from '../emulators/message-traces.ts';
import { queueNameFromArn, queueUrl } from '../emulators/sqs.ts';
import type { InvokableFunctions } from '../lambda/functions.ts';
import { isTransient } from '../lambda/invocation-error.ts';
import type { Log } from '../log.ts';
import type { StagePlan } from '../template/stage-plan.ts';
import { handledMessages, type SqsMessage, sqsEvent } from './sqs-event.ts';

export type PollerOptions = {
  /** Base URL of the SQS emulator. */
  endpoint: string;
  traces: MessageTraces;
  functions: InvokableFunctions;
  log: Log;
};

type MappingPlan = StagePlan['queueMappings'][number];

// AWS scales to this concurrency if the mapping sets no maximum.
const defaultMaxConcurrency = 1000;

// Of each provisioned poller.
const invocationsPerPoller = 10;

// Maximum of SQS for long polling.
const waitSeconds = 20;

// Avoids a busy loop while ReceiveMessage fails.
const retryDelayMs = 200;

// AWS documents that the mapping backs off, not for how long.
const throttledRetries = { minTimeout: 100, maxTimeout: 10_000 };

/**
 * Polls a queue as an event source mapping does. Handled messages are deleted. The others reappear after their
 * visibility timeout, and go to the dead-letter queue by the redrive policy of the queue. A throttled invocation is
 * retried until then (Lambda Developer Guide, "Handling errors for an SQS event source").
 */
export function pollQueue(plan: MappingPlan, options: PollerOptions): { stop(): Promise<void> } {
  const queue = queueClient(plan, options);
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  const { ScalingConfig, ProvisionedPollerConfig: pollers } = plan.mapping;
  const provisioned = pollers && pollers.MaximumPollers * invocationsPerPoller;
  const maxConcurrency = ScalingConfig?.MaximumConcurrency ?? provisioned ?? defaultMaxConcurrency;
  const log = (line: string) => options.log(`queue of ${plan.functionName}`, line);

  async function handle(messages: SqsMessage[]): Promise<void> {
    const event = sqsEvent(messages, plan.queueArn);
    // Of a batch, the chain of its first message.
    const traceHeader = messages[0]?.Attributes?.AWSTraceHeader;
    const result = await pRetry(() => options.functions.invoke(plan.functionName, event, { traceHeader }), {
      ...throttledRetries,
      retries: Number.POSITIVE_INFINITY,
      maxRetryTime: plan.visibilityTimeoutSeconds * 1000,
      shouldRetry: ({ error }) => isTransient(error),
      signal: stopping.signal,
    });
    const handled = handledMessages(messages, result, plan.mapping.FunctionResponseTypes.length > 0);
    await Promise.all(handled.map(queue.remove));
  }

  async function receive(): Promise<SqsMessage[]> {
    try {
      return await queue.receive(stopping.signal);
    } catch (error) {
      if (stopping.signal.aborted) return [];
      log(`ReceiveMessage failed, retrying: ${String(error)}`);
      return sleep(retryDelayMs, []);
    }
  }

  async function poll(): Promise<void> {
    while (!stopping.signal.aborted) {
      if (running.size >= maxConcurrency) await Promise.race(running);
      const messages = running.size < maxConcurrency ? await receive() : [];
      if (messages.length === 0) continue;
      const handling = handle(messages)
        .catch((error) => log(`invocation failed, the messages stay in the queue: ${String(error)}`))
        .finally(() => running.delete(handling));
      running.add(handling);
    }
  }

  const polling = poll();
  return {
    async stop() {
      stopping.abort();
      await polling;
    },
  };
}

function queueClient({ queueArn, mapping }: MappingPlan, { endpoint, traces }: PollerOptions) {
  const QueueUrl = queueUrl(endpoint, queueNameFromArn(queueArn));
  return {
    async receive(signal: AbortSignal): Promise<SqsMessage[]> {
      const body = {
        QueueUrl,
        MaxNumberOfMessages: mapping.BatchSize,
        WaitTimeSeconds: waitSeconds,
        MessageSystemAttributeNames: ['All'],
        MessageAttributeNames: ['All'],
      };
      const response = await callEmulator<{ Messages?: SqsMessage[] }>({
        endpoint,
        target: 'AmazonSQS.ReceiveMessage',
        body,
        signal,
      });
      return (response.Messages ?? []).map((message) => {
        const AWSTraceHeader = traces.of(message.MessageId);
        if (AWSTraceHeader === undefined) return message;
        return { ...message, Attributes: { ...message.Attributes, AWSTraceHeader } };
      });
    },
    async remove({ MessageId, ReceiptHandle }: SqsMessage): Promise<void> {
      traces.forget(MessageId);
      await callEmulator({ endpoint, target: 'AmazonSQS.DeleteMessage', body: { QueueUrl, ReceiptHandle } });
    },
  };
}
