import { JobError } from '../../core/errors.ts';
import type { JobIn } from '../../core/jobs/record.ts';
import { affordableMs, exceededCost } from '../../core/pricing/cost-limit.ts';
import type { EncodeJobDeps } from '../worker/worker-deps.ts';

/** Signals that abort at the deadline, and when the job has cost what it may: before the platform ends the worker. */
export function limitSignals(
  { clock, pricedStage }: Pick<EncodeJobDeps, 'clock' | 'pricedStage'>,
  job: JobIn<'processing'>,
  { deadline, cancelled }: { deadline: Date; cancelled: AbortSignal },
): AbortSignal[] {
  const abortAt = (at: number, reason: JobError) => {
    const expired = new AbortController();
    void clock.sleep(at - clock.now().getTime(), cancelled).then(() => {
      if (!cancelled.aborted) expired.abort(reason);
    });
    return expired.signal;
  };
  const message =
    'The job needs more time than one run of the worker has; use a faster preset or a shorter input.';
  const timeout = abortAt(deadline.getTime(), new JobError('TIMEOUT', message));
  const affordable = affordableMs(job, pricedStage);
  if (affordable === Number.POSITIVE_INFINITY) return [timeout];
  return [timeout, abortAt(Date.parse(job.claimedAt) + affordable, exceededCost(job.request))];
}
