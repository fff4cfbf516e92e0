import { JobError } from '../../core/errors.ts';
import type { Clock } from '../../core/jobs/ports.ts';

/** A signal that aborts at `time` with `reason`, unless `cancelled` has aborted before. */
export function abortAt(
  clock: Pick<Clock, 'now' | 'sleep'>,
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
  const message =
    'The job needs more time than one run of the worker has; use a faster preset or a shorter input.';
  return new JobError('TIMEOUT', message);
}
