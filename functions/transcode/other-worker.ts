import { JobError } from '@media-jobs/video/errors';
import { isDiskFull } from '@media-jobs/video/media';
import type { JobIn, OtherWorkerChoice } from '../../core/jobs/record.ts';

/** Another worker processes the job. */
export class OtherWorkerError extends Error {
  readonly otherWorker: OtherWorkerChoice;

  constructor(otherWorker: OtherWorkerChoice) {
    super(otherWorker.reason);
    this.name = 'OtherWorkerError';
    this.otherWorker = otherWorker;
  }
}

/** A Fargate task, with the sentence for the owner of the job. `prefix` comes before it. */
export function fargateBecause(why: string, prefix = ''): OtherWorkerChoice {
  return { name: 'fargate', reason: `${prefix}A Fargate task encodes it: ${why}` };
}

/**
 * The worker that has to process a job after an error of its function; undefined if none helps. What the plan did not
 * predict counts as well: the function's time or disk was used up.
 */
export function otherWorkerAfter(
  error: unknown,
  { job: { chunking }, isDeadlineOver }: EndedAttempt,
): OtherWorkerChoice | undefined {
  if (error instanceof OtherWorkerError) return error.otherWorker;
  const isTimeout = error instanceof JobError && error.code === 'TIMEOUT' && isDeadlineOver;
  if (!isTimeout && !isDiskFull(error)) return undefined;
  const excess = isTimeout
    ? "it took longer than a function's time"
    : "its files do not fit on a function's disk";
  const singlePass = chunking?.chunks === 1 ? `${chunking.reason}. ` : '';
  return fargateBecause(excess, singlePass);
}

type EndedAttempt = {
  job: Pick<JobIn<'processing'>, 'chunking'>;
  isDeadlineOver: boolean;
};
