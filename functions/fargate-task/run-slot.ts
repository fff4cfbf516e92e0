import { type ChunkSettings, chunkTasks, runsFirst } from '@media-jobs/video/chunking';
import { type Processors, usedCpus } from '@media-jobs/video/cost-model';
import { EncodeError } from '@media-jobs/video/ffmpeg';
import { retryConflicts } from '../../core/async.ts';
import type { Watch } from '../../core/chunked/watch-job.ts';
import { takeOverJob as takeOver } from '../../core/jobs/execution-transitions.ts';
import type { DelegatedJobInput } from '../../core/jobs/ports.ts';
import { encodedFraction } from '../../core/jobs/progress.ts';
import { holdsLease, type JobIn } from '../../core/jobs/record.ts';
import { addCompletedSteps } from '../../core/jobs/transitions.ts';
import type { TaskPorts } from '../../core/worker/ports.ts';
import { encodeAndStore } from '../encode-chunk/app.ts';
import { JoinMismatchError } from '../join-chunks/join.ts';
import { joinAndStore } from '../join-chunks/join-and-store.ts';
import type { EncodeChunks } from '../transcode/attempt.ts';
import { storeStepInChunks } from '../transcode/store-chunk-plan.ts';
import { type TranscodeResult, transcode } from '../transcode/transcode.ts';

export type SlotPorts = TaskPorts & {
  /** Claims the next economy job. */
  openNext: () => Promise<JobIn<'processing'> | undefined>;
  /** Counts the slots of the task that have a job. */
  busy: { add(change: 1 | -1): void; isAny(): boolean };
  onProcessed: (result: TranscodeResult) => void;
  /** Receives an error that no job has, such as that of a table that is unavailable. */
  onFailure: (cause: unknown) => void;
};

export type Slot = {
  /** From then on the task claims nothing, so that no deployment waits for long. */
  endsAt: Date;
  /** Milliseconds for a job, from its claim. */
  maxJobMs: number;
  /** Aborts when ECS stops the task. */
  stopped: AbortSignal;
};

/** The wait of an idle slot before it looks for a job again. */
const pollMs = 5_000;

/** A task without a job ends after this time. */
const maxIdleMs = 20_000;

/** Expected seconds of a single pass that is not cut, and of a chunk: an interruption repeats no more than one of these. */
export const keptSeconds = 45;

/** When a slot of the pool encodes a video in chunks, one after the other, which it keeps in the bucket. */
export function poolChunking(settings: ChunkSettings, { count, slowness }: Processors): ChunkSettings {
  const chunkCpuSeconds = (keptSeconds * usedCpus(count)) / slowness;
  return { ...settings, maxSinglePassSeconds: keptSeconds, chunkCpuSeconds };
}

/**
 * Encodes the chunks of a step one after the other in this process, and joins them. Their results stay in the bucket: an attempt
 * after an interruption goes on after them. Undefined if the chunks cannot be encoded or joined, and a single pass may help.
 */
const encodeChunks: EncodeChunks = async (attempt, { planned, state }) => {
  const { deps, context } = attempt;
  const { signal, deadline } = context;
  const { work, planKey, steps } = await storeStepInChunks(deps, context, { planned, state });
  // An attempt after an interruption reads the same files, so that its chunks are those of this one.
  if (steps !== undefined) context.report({ stage: 'probing', fraction: 1, completedSteps: steps });
  const job = addCompletedSteps(context.job, steps);
  const tasks = chunkTasks(work);
  const first = [...tasks.keys()].filter((chunk) => tasks[chunk] !== undefined && runsFirst(work, tasks[chunk]));
  const order = [...first, ...[...tasks.keys()].filter((chunk) => !first.includes(chunk))];
  const { ownerId, jobId, leaseId } = job;
  const ref = { ownerId, jobId, leaseId, planKey };
  const startedMs = deps.clock.now().getTime();
  const watchOf = (done: number): Watch => ({
    job,
    signal,
    isLost: () => attempt.lease.signal.aborted,
    onRead: () => undefined,
    report: (percent) => {
      const fraction = (done + percent / 100) / (order.length + 1);
      const all = { shares: state.shares, count: state.steps.length };
      context.report({ stage: 'transcoding', fraction: encodedFraction(all, { index: work.step, fraction }) });
    },
    end: async () => undefined,
    timedJob: () => ({ ...job, taskMs: { pool: deps.clock.now().getTime() - startedMs } }),
  });
  try {
    for (const [done, chunk] of order.entries()) {
      const task = { ...ref, chunk, isSecondRun: false };
      await encodeAndStore(deps, task, { watch: watchOf(done), deadline, secondRun: undefined });
    }
    const joined = await joinAndStore(
      deps,
      { ...ref, failed: false },
      { watch: watchOf(order.length), signal, deadline },
    );
    if (joined.kind === 'step-completed') return joined;
    if (joined.kind === 'uploaded') return { ...joined.publication, kind: 'uploaded' };
    return { kind: 'finished', result: joined.result };
  } catch (cause) {
    const mayHelp = cause instanceof JoinMismatchError || cause instanceof EncodeError;
    if (!mayHelp || signal.aborted) throw cause;
    deps.onUnexpected(job, cause);
    return undefined;
  }
};

/**
 * Processes economy jobs in a slot of a task, one after another, until none waits and no slot has one. When the task is stopped,
 * it requeues its job at once and claims no other. An error in one job does not end the slot.
 */
export async function runSlot(deps: SlotPorts, { endsAt, maxJobMs, stopped }: Slot): Promise<void> {
  const { clock, busy } = deps;
  const runNext = async (): Promise<TranscodeResult> => {
    const job = await deps.openNext();
    if (job === undefined) return 'ignored';
    busy.add(1);
    const deadline = new Date(clock.now().getTime() + maxJobMs);
    const claim = { take: async () => job, deadline, stopped, encodeChunks };
    return transcode(deps, claim).finally(() => busy.add(-1));
  };
  let idleSince = clock.now();
  const isIdle = () => clock.now().getTime() - idleSince.getTime() >= maxIdleMs;
  while (!stopped.aborted && clock.now() < endsAt && !isIdle()) {
    const result = await runNext().catch(deps.onFailure);
    const isFree = result === undefined || result === 'ignored';
    if (!isFree || busy.isAny()) idleSince = clock.now();
    if (isFree) await clock.sleep(pollMs, stopped);
    else deps.onProcessed(result);
  }
}

/** Takes a delegated job over under a lease of this worker; undefined if it has ended, or if another one was first. */
export async function takeOverJob(
  { jobs, clock, newId }: TaskPorts,
  { ownerId, jobId, leaseId }: DelegatedJobInput,
): Promise<JobIn<'processing'> | undefined> {
  let stored = await jobs.get({ ownerId, jobId });
  const own = newId();
  // Reconcile may move the time of its next check between read and write.
  return retryConflicts(async () => {
    // The response to an earlier try was lost.
    if (holdsLease(own, stored)) return stored;
    if (!holdsLease(leaseId, stored)) return undefined;
    const change = takeOver(stored, { leaseId: own, now: clock.now() });
    const result = await jobs.write(change);
    if (result.written) return change.job;
    stored = result.current;
    return false;
  });
}
