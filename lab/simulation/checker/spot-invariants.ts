import { keptSeconds } from '../../../functions/fargate-task/run-slot.ts';
import type { History, JobHistory } from './history.ts';
import { jobInvariant } from './invariant.ts';

/** What a slot of the pool did with a job between a claim and the write that ended its attempt, in milliseconds. */
export type PoolAttempt = {
  heldMs: number;
  /** Set if the task was stopped: what the next attempt does again. */
  repeatedMs?: number;
  /** From SIGTERM to the write that gave the job back. */
  givenBackAfterMs?: number;
};

/** The attempts at a job in the pool, in order. */
function poolAttempts({ writes, faults, ...job }: JobHistory): PoolAttempt[] {
  return writes.flatMap((claim, index) => {
    const { app, invocation, before, after } = claim;
    if (app !== 'pool-task' || before?.state !== 'queued' || after.state !== 'processing') return [];
    const end = writes.slice(index).find((write) => write.after.state !== 'processing');
    if (end === undefined) return [];
    const heldMs = end.at - claim.at;
    const isOfAttempt = (entry: { invocation: number; at: number }) =>
      entry.invocation === invocation && entry.at >= claim.at && entry.at <= end.at;
    const stop = faults.find((fault) => fault.fault === 'interrupted' && isOfAttempt(fault));
    if (stop === undefined || end.after.state !== 'queued') return [{ heldMs }];
    const keptMs = job.encoded
      .filter((run) => isOfAttempt(run) && isKept(job, run, end.at))
      .reduce((sum, run) => sum + run.at - run.begunAt, 0);
    return [{ heldMs, repeatedMs: heldMs - keptMs, givenBackAfterMs: end.at - stop.at }];
  });
}

/** Whether a run stored its file before its attempt ended. */
function isKept({ objects }: Pick<JobHistory, 'objects'>, run: JobHistory['encoded'][number], until: number): boolean {
  const made = JSON.stringify(run.made);
  return objects.some(
    (object) =>
      object.kind === 'object-stored' &&
      object.at >= run.at &&
      object.at <= until &&
      JSON.stringify(object.made) === made,
  );
}

/** Of all jobs of the pool: the interruptions, and the repeated share of the work that was needed. */
export function spotWorkOf({ jobs }: History): { interruptions: number; repeatedShare: number } {
  const attempts = jobs.flatMap(poolAttempts);
  const heldMs = attempts.reduce((sum, attempt) => sum + attempt.heldMs, 0);
  const repeatedMs = attempts.reduce((sum, attempt) => sum + (attempt.repeatedMs ?? 0), 0);
  const interruptions = attempts.filter(({ repeatedMs: repeated }) => repeated !== undefined).length;
  return { interruptions, repeatedShare: repeatedMs / Math.max(1, heldMs - repeatedMs) };
}

/** A vCPU may be slower than expected, and each attempt downloads and plans again. */
const maxRepeatedMs = 1_350 * keptSeconds + 15_000;

export const interruptionsRepeatLittle = jobInvariant(
  'an interruption repeats at most one chunk, or a single pass that is as short',
  (job) =>
    poolAttempts(job).flatMap(({ repeatedMs = 0 }) =>
      repeatedMs > maxRepeatedMs ? [`lost ${repeatedMs / 1_000} s by an interruption`] : [],
    ),
);

/** ffmpeg ends, and the record is written. */
const maxGiveBackMs = 5_000;

export const stoppedTasksGiveBack = jobInvariant('a task that is stopped gives its job back at once', (job) =>
  poolAttempts(job).flatMap(({ givenBackAfterMs = 0 }) =>
    givenBackAfterMs > maxGiveBackMs ? [`was kept for ${givenBackAfterMs / 1_000} s`] : [],
  ),
);
