import { setTimeout as sleep } from 'node:timers/promises';
import { callEmulator } from '../emulators/aws-json.ts';
import { queueNameOf, queueUrl } from '../emulators/sqs.ts';
import type { Functions } from '../lambda/functions.ts';
import type { Log } from '../log.ts';
import type { StagePlan } from '../template/stage-plan.ts';
import { handledMessages, type SqsMessage, sqsEvent } from './sqs-event.ts';

export type PollerOptions = {
  /** Base URL of the SQS emulator. */
  endpoint: string;
  functions: Functions;
  log: Log;
};

type MappingPlan = StagePlan['queueMappings'][number];

// What AWS scales to when a mapping sets no limit.
const mostConcurrency = 1000;

// The longest that SQS lets a receive wait.
const waitSeconds = 20;

// Without a pause, a queue that refuses every receive would keep this process busy.
const pauseMs = 200;

/**
 * Polls a queue for a function as an event source mapping does: messages that were dealt with are deleted, the others
 * come back when their visibility time-out ends, and go to the dead-letter queue by the queue's own redrive policy.
 */
export function pollQueue(plan: MappingPlan, options: PollerOptions): { stop(): Promise<void> } {
  const queue = queueOf(plan, options);
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  const most = plan.mapping.ScalingConfig?.MaximumConcurrency ?? mostConcurrency;
  const log = (line: string) => options.log(`queue of ${plan.functionName}`, line);

  async function deal(messages: SqsMessage[]): Promise<void> {
    const event = sqsEvent(messages, plan.queueArn);
    const result = await options.functions.invoke(plan.functionName, event);
    const done = handledMessages(messages, result, plan.mapping.FunctionResponseTypes.length > 0);
    await Promise.all(done.map(queue.remove));
  }

  async function receive(): Promise<SqsMessage[]> {
    try {
      return await queue.receive(stopping.signal);
    } catch (error) {
      if (stopping.signal.aborted) return [];
      log(`receiving failed, trying again: ${String(error)}`);
      return sleep(pauseMs, []);
    }
  }

  async function poll(): Promise<void> {
    while (!stopping.signal.aborted) {
      if (running.size >= most) await Promise.race(running);
      const messages = running.size < most ? await receive() : [];
      if (messages.length === 0) continue;
      const dealing = deal(messages)
        .catch((error) => log(`the messages stay in the queue: ${String(error)}`))
        .finally(() => running.delete(dealing));
      running.add(dealing);
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

function queueOf({ queueArn, mapping }: MappingPlan, { endpoint }: PollerOptions) {
  const QueueUrl = queueUrl(endpoint, queueNameOf(queueArn));
  return {
    async receive(signal: AbortSignal): Promise<SqsMessage[]> {
      const body = {
        QueueUrl,
        MaxNumberOfMessages: mapping.BatchSize,
        WaitTimeSeconds: waitSeconds,
        MessageSystemAttributeNames: ['All'],
        MessageAttributeNames: ['All'],
      };
      const answer = await callEmulator<{ Messages?: SqsMessage[] }>({
        endpoint,
        target: 'AmazonSQS.ReceiveMessage',
        body,
        signal,
      });
      return answer.Messages ?? [];
    },
    async remove({ ReceiptHandle }: SqsMessage): Promise<void> {
      await callEmulator({ endpoint, target: 'AmazonSQS.DeleteMessage', body: { QueueUrl, ReceiptHandle } });
    },
  };
}
