import type { JobIn } from '../../core/jobs/record.ts';
import { affordableMs, exceededCost } from '../../core/pricing/cost-limit.ts';
import { abortAt, workerTimeout } from '../worker/abort-at.ts';
import type { EncodeJobDeps } from '../worker/worker-deps.ts';

/** Signals that abort at the deadline, and when the job has cost what it may: before the platform ends the worker. */
export function limitSignals(
  { clock, pricedStage }: Pick<EncodeJobDeps, 'clock' | 'pricedStage'>,
  job: JobIn<'processing'>,
  { deadline, cancelled }: { deadline: Date; cancelled: AbortSignal },
): AbortSignal[] {
  const timeout = abortAt(clock, { time: deadline, reason: workerTimeout(), cancelled });
  const affordable = affordableMs(job, pricedStage);
  if (affordable === Number.POSITIVE_INFINITY) return [timeout];
  const time = new Date(Date.parse(job.claimedAt) + affordable);
  return [timeout, abortAt(clock, { time, reason: exceededCost(job.request), cancelled })];
}
