import { JobError } from '@media-jobs/video/errors';
import { hasCostLimit } from '../jobs/job-cost.ts';
import type { Clock } from '../jobs/ports.ts';
import type { JobIn } from '../jobs/record.ts';
import { affordableMs, exceededCost } from '../pricing/cost-limit.ts';
import type { PricedStage } from '../pricing/priced-stage.ts';

/** A signal that aborts at the deadline, before the platform ends the worker. */
export function timeoutSignal(
  { clock }: { clock: Clock },
  { deadline, cancelled }: { deadline: Date; cancelled: AbortSignal },
): AbortSignal {
  return abortAt(clock, { time: deadline, reason: workerTimeout(), cancelled });
}

/** A signal that aborts once the job has reached its maximum cost; undefined if no worker runs that long. */
export function costSignal(
  { clock, money }: { clock: Clock; money: { stage: PricedStage } },
  job: JobIn<'processing'>,
  cancelled: AbortSignal,
): AbortSignal | undefined {
  if (!hasCostLimit(job)) return undefined;
  const affordable = affordableMs(job, money.stage);
  if (affordable === Number.POSITIVE_INFINITY) return undefined;
  const time = new Date(Date.parse(job.claimedAt) + affordable);
  return abortAt(clock, { time, reason: exceededCost(job), cancelled });
}

/** A signal that aborts at `time` with `reason`, unless `cancelled` has aborted before. */
export function abortAt(
  clock: Clock,
  { time, reason, cancelled }: { time: Date; reason: JobError; cancelled: AbortSignal },
): AbortSignal {
  const expired = new AbortController();
  void clock.sleep(time.getTime() - clock.now().getTime(), cancelled).then(() => {
    if (!cancelled.aborted) expired.abort(reason);
  });
  return expired.signal;
}

/** The end of a job for which one run of a worker is too short. */
export function workerTimeout(): JobError {
  const message = 'The job needs more time than one run of the worker has; use a faster preset or a shorter input.';
  return new JobError('TIMEOUT', message);
}
