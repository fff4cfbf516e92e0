import { maxAttempts } from '../../core/jobs/durations.ts';
import { requeueForSinglePass, requeueFromExecution } from '../../core/jobs/execution-transitions.ts';
import { holdsLease } from '../../core/jobs/held-by.ts';
import type { TranscodeQueue } from '../../core/jobs/ports.ts';
import type { JobIn, TerminalJob } from '../../core/jobs/record.ts';
import { failOrReject, mayRequeue } from '../../core/jobs/transitions.ts';
import type { JoinTask } from '../chunked/task.ts';
import { type TerminateJobDeps, terminateJob } from '../terminate-job/terminate-job.ts';

export type RetryDeps = TerminateJobDeps & { queue: TranscodeQueue };

/** A part whose function was cut off may still note something, each time one write of this function is refused. */
const mostTries = 10;

const unexplained = 'The service failed while encoding them or joining them';

/**
 * Sends a job that could not be done in parts back, or fails it after its last attempt: with a reason, to be encoded in
 * one piece; without one, which speaks against the stage and not against parts, to be tried again. The last attempt is
 * in one piece in any case.
 */
export async function retryOrFail(
  ports: RetryDeps,
  task: JoinTask,
  because: string | undefined,
): Promise<'requeued' | TerminalJob['state'] | 'lost'> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const job = await ports.jobs.get(task);
    if (!holdsLease(task.leaseId, job)) return 'lost';
    if (await (mayRequeue(job) ? sendBack(ports, job, because) : fail(ports, job, because))) {
      return mayRequeue(job) ? 'requeued' : 'failed';
    }
  }
  throw new Error(`Job ${task.jobId} keeps changing`);
}

async function sendBack(
  { jobs, queue, clock }: RetryDeps,
  job: JobIn<'processing'>,
  because: string | undefined,
): Promise<boolean> {
  const now = clock.now();
  const inParts = because === undefined && job.attempt + 1 < maxAttempts;
  const change = inParts
    ? requeueFromExecution(job, now)
    : requeueForSinglePass(job, because ?? unexplained, now);
  const { written } = await jobs.write(change);
  if (written) await queue.send(job);
  return written;
}

async function fail(ports: RetryDeps, job: JobIn<'processing'>, because = unexplained): Promise<boolean> {
  const message = `The video could not be encoded in chunks: ${because}`;
  const error = { code: 'TRANSCODE_ERROR', message, stage: job.stage, retryable: true } as const;
  const { written } = await terminateJob(ports, job, (ending) =>
    failOrReject(job, { state: 'failed', error }, ending),
  );
  return written;
}
