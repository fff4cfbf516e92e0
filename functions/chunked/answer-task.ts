import type { TaskAnswers, TaskQueue } from '../../core/chunking/ports.ts';
import type { Clock } from '../../core/jobs/ports.ts';
import { isPermanentFailure } from './task.ts';

/** A task that the state machine has sent to a queue. */
export type TaskMessage = {
  taskToken: string;
  /** Identifies this delivery of the message. */
  receiptHandle: string;
  /** How often the message was delivered, from 1. */
  receiveCount: number;
};

export type AnswerTaskDeps = { queue: TaskQueue; answers: TaskAnswers; clock: Clock };

/** A message that is not renewed for so long is delivered again: its function has died. */
const hiddenSeconds = 60;
const renewEveryMs = 20_000;

/** Throttled deliveries count too, so more than one lost function is tolerated. */
const maxReceives = 4;

/**
 * Runs the task of a message and answers its token. Keeps the message hidden meanwhile, so that a killed function is
 * replaced within a minute and not after the visibility time-out, which is longer than any function runs. After an error
 * it answers, removes the message and rethrows: the state machine retries the task, and Lambda counts the error.
 */
export async function answerTask<Result>(
  { queue, answers, clock }: AnswerTaskDeps,
  { taskToken, receiptHandle, receiveCount }: TaskMessage,
  run: () => Promise<Result>,
): Promise<Result | 'abandoned'> {
  if (receiveCount > maxReceives) {
    const message = `The function stopped without an answer in ${receiveCount - 1} deliveries of the task`;
    await answers.fail(taskToken, { name: 'TaskLost', message });
    return 'abandoned';
  }
  const ended = new AbortController();
  const hiding = keepHidden({ queue, clock }, receiptHandle, ended.signal);
  try {
    const result = await run().catch(async (cause: unknown) => {
      const name = isPermanentFailure(cause) ? 'EncodingFailed' : 'TaskFailed';
      const message = cause instanceof Error ? cause.message : String(cause);
      await answers.fail(taskToken, { name, message });
      await queue.remove(receiptHandle);
      throw cause;
    });
    await answers.succeed(taskToken);
    return result;
  } finally {
    ended.abort();
    await hiding;
  }
}

async function keepHidden(
  { queue, clock }: Pick<AnswerTaskDeps, 'queue' | 'clock'>,
  receiptHandle: string,
  ended: AbortSignal,
): Promise<void> {
  while (!ended.aborted) {
    // If a renewal fails, the next one may succeed; otherwise the task runs twice, and tasks are idempotent.
    await queue.hide(receiptHandle, hiddenSeconds).catch(() => undefined);
    await clock.sleep(renewEveryMs, ended);
  }
}
