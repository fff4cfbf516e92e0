import { JobError } from '../../core/errors.ts';
import type { JobIn, OtherWorkerChoice, OtherWorkerName } from '../../core/jobs/record.ts';
import { isDiskFull } from '../../core/media/disk-full-error.ts';

/** Another worker processes the job. */
export class OtherWorkerError extends Error {
  readonly otherWorker: OtherWorkerChoice;

  constructor(otherWorker: OtherWorkerChoice) {
    super(otherWorker.reason);
    this.name = 'OtherWorkerError';
    this.otherWorker = otherWorker;
  }
}

const workerLabels = { large: 'A large function', fargate: 'A Fargate task' };

/** Another worker, with the sentence for the owner of the job. `prefix` comes before it. */
export function otherWorkerBecause(name: OtherWorkerName, why: string, prefix = ''): OtherWorkerChoice {
  return { name, reason: `${prefix}${workerLabels[name]} encodes it: ${why}` };
}

/**
 * The worker that has to process a job after an error of its function; undefined if none of `others` helps. What the plan
 * did not predict counts as well: the function's time or disk was used up.
 */
export function otherWorkerAfter(
  error: unknown,
  { job: { chunking }, others, isDeadlineOver }: EndedAttempt,
): OtherWorkerChoice | undefined {
  if (error instanceof OtherWorkerError) return error.otherWorker;
  const isTimeout = error instanceof JobError && error.code === 'TIMEOUT' && isDeadlineOver;
  if (!isTimeout && !isDiskFull(error)) return undefined;
  // A Fargate task first: how much longer the job takes is not known.
  const name = others.find((each) => each === 'fargate') ?? (isTimeout ? others[0] : undefined);
  if (name === undefined) return undefined;
  const excess = isTimeout
    ? "it took longer than a function's time"
    : "its files do not fit on a function's disk";
  const singlePass = chunking?.chunks === 1 ? `${chunking.reason}. ` : '';
  return otherWorkerBecause(name, excess, singlePass);
}

type EndedAttempt = {
  job: Pick<JobIn<'processing'>, 'chunking'>;
  /** The workers that the job may be left to. */
  others: readonly OtherWorkerName[];
  isDeadlineOver: boolean;
};
