import { type ChunkPlan, readPlan } from '@media-jobs/video/chunking';
import { JobError } from '@media-jobs/video/errors';
import * as z from 'zod';
import type { TaskCallbacks, TaskQueue } from '../jobs/chunked-ports.ts';
import { nextMessageGroup } from '../jobs/message-groups.ts';
import type { Clock } from '../jobs/ports.ts';
import type { WorkerPorts } from '../worker/ports.ts';

export type TaskMessage = {
  taskToken: string;
  receiptHandle: string;
  /** How often the message was delivered, from 1. */
  receiveCount: number;
  /** The run beside this one that may be started if this one is late. */
  secondRun?: { isStarted(): boolean } | undefined;
};

export type TaskCallbackDeps = { queue: TaskQueue; callbacks: TaskCallbacks; clock: Clock };

/** A message that is not renewed for so long is delivered again: its function has died. */
const hiddenSeconds = 60;

const renewEveryMs = 20_000;

/** Throttled deliveries count too, so more than one lost function is tolerated. */
const maxReceives = 4;

/** Whether a retry of the same task would fail in the same way. */
export function isPermanentFailure(cause: unknown): cause is JobError {
  return cause instanceof JobError && !cause.retryable;
}

/**
 * Runs the task of a message and reports the result by its task token. Keeps the message hidden for a minute at a time, so
 * that a killed function is replaced sooner than after the visibility time-out, which is longer than any function runs.
 * After an error it reports the failure, removes the message and rethrows: the state machine retries the task, and Lambda
 * counts the error. If a second run was started, its message answers for the task instead.
 */
export async function runTaskMessage<Result>(
  { queue, callbacks, clock }: TaskCallbackDeps,
  { taskToken, receiptHandle, receiveCount, secondRun }: TaskMessage,
  run: () => Promise<Result>,
): Promise<Result | 'abandoned'> {
  if (receiveCount > maxReceives) {
    const message = `The function stopped without an answer in ${receiveCount - 1} deliveries of the task`;
    await callbacks.fail(taskToken, { name: 'TaskLost', message });
    return 'abandoned';
  }
  const ended = new AbortController();
  const hiding = keepHidden({ queue, clock }, receiptHandle, ended.signal);
  try {
    const result = await run().catch(async (cause: unknown) => {
      const name = isPermanentFailure(cause) ? 'EncodingFailed' : 'TaskFailed';
      const message = cause instanceof Error ? cause.message : String(cause);
      if (!secondRun?.isStarted()) await callbacks.fail(taskToken, { name, message });
      await queue.remove(receiptHandle);
      throw cause;
    });
    await callbacks.succeed(taskToken);
    return result;
  } finally {
    ended.abort();
    await hiding;
  }
}

async function keepHidden(
  { queue, clock }: { queue: TaskQueue; clock: Clock },
  receiptHandle: string,
  ended: AbortSignal,
): Promise<void> {
  while (!ended.aborted) {
    // If a renewal fails, the next one may succeed; otherwise the task runs twice, and tasks are idempotent.
    await queue.hide(receiptHandle, hiddenSeconds).catch(() => undefined);
    await clock.sleep(renewEveryMs, ended);
  }
}

/** The plan of a task. Throws if it is gone, or if another version of the service wrote it. */
export async function readChunkPlan({ files }: WorkerPorts, { planKey }: { planKey: string }): Promise<ChunkPlan> {
  const text = await files.readText(planKey);
  if (text === undefined) throw new Error(`No chunk plan at ${planKey}: the job's work files were removed`);
  return readPlan(text);
}

const job = { ownerId: z.string(), jobId: z.string(), leaseId: z.string(), planKey: z.string() };

/**
 * Task of encode-chunk, as the state machine sends it. `chunk` is the number of a chunk task. A run that is late sends it
 * once more, as the second run.
 */
export const encodeChunkInputSchema = z.object({
  ...job,
  chunk: z.int().min(0),
  isSecondRun: z.boolean().default(false),
});

/** Task of join-chunks. `failed` says that a chunk task failed permanently or an earlier join failed. */
export const joinChunksInputSchema = z.object({ ...job, failed: z.boolean() });

export type EncodeChunkInput = z.output<typeof encodeChunkInputSchema>;

export type JoinChunksInput = z.output<typeof joinChunksInputSchema>;

/** A second run of a chunk task, beside the first one, which has turned out to be slow. */
export type SecondRun = {
  /** Sends the task to its queue once more. Does nothing if that has happened. */
  start(): Promise<void>;
  /** Whether the task has been sent. From then on its second message answers for a failure. */
  isStarted(): boolean;
};

export type SecondRunOptions = {
  message: TaskMessage;
  task: EncodeChunkInput;
  /** Message group of the first run. */
  group: string;
  maxRunningChunks: number | undefined;
};

/**
 * The second run of the task of a message: another message with the same task token, so that the first answer counts. It
 * is in the next message group of the owner, since that of the first run is locked. Undefined for a task that has run
 * twice, is a redelivered one, or whose owner has one group only: a task runs at most twice unless functions die.
 */
export function secondRunOf(
  queue: { send: TaskQueue['send'] },
  { message: { taskToken, receiveCount }, task, group, maxRunningChunks }: SecondRunOptions,
): SecondRun | undefined {
  if (task.isSecondRun || receiveCount > 1 || maxRunningChunks === 1) return undefined;
  let isStarted = false;
  return {
    async start() {
      if (isStarted) return;
      // Until its answer arrives, the request is repeated; the queue drops messages of equal content.
      await queue.send({ taskToken, task: { ...task, isSecondRun: true } }, nextMessageGroup(group, maxRunningChunks));
      isStarted = true;
    },
    isStarted: () => isStarted,
  };
}
