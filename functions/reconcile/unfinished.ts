import type { ParallelMachine } from '../../core/chunking/ports.ts';
import { extendExecutionCheck } from '../../core/jobs/execution-transitions.ts';
import type { TranscodeQueue } from '../../core/jobs/ports.ts';
import type { JobFailure, JobIn } from '../../core/jobs/record.ts';
import { abandon, mayRequeue, requeue, resend } from '../../core/jobs/transitions.ts';
import { type TerminateJobDeps, terminateJob } from '../terminate-job/terminate-job.ts';

export type UnfinishedDeps = TerminateJobDeps & {
  queue: TranscodeQueue;
  parallel: Pick<ParallelMachine, 'isRunning'>;
  maxQueueMs: number;
};
export type UnfinishedStep =
  | 'resent'
  | 'requeued'
  | 'timed-out'
  | 'still-running'
  | 'worker-lost'
  | 'superseded';

/** A queued job that nobody has claimed: its message is sent again, or the job fails when it has waited too long. */
export async function resendQueued(ports: UnfinishedDeps, job: JobIn<'queued'>): Promise<UnfinishedStep> {
  const now = ports.clock.now();
  if (now.getTime() - Date.parse(job.queuedAt) >= ports.maxQueueMs) {
    const { written } = await terminateJob(ports, job, (ending) =>
      abandon(job, queueTimeout(ports, job), ending),
    );
    return written ? 'timed-out' : 'superseded';
  }
  const { written } = await ports.jobs.write(resend(job, now));
  if (!written) return 'superseded';
  await ports.queue.send(job);
  return 'resent';
}

/**
 * A job whose worker let its lease end: it goes back into the queue, or fails after its last attempt. One that was left
 * to a state machine has nobody else to look whether that runs.
 */
export async function recoverLostWorker(
  ports: UnfinishedDeps,
  job: JobIn<'processing'>,
): Promise<UnfinishedStep> {
  if (job.execution !== undefined && (await ports.parallel.isRunning(job.execution.name))) {
    const { written } = await ports.jobs.write(extendExecutionCheck(job, ports.clock.now()));
    return written ? 'still-running' : 'superseded';
  }
  if (!mayRequeue(job)) {
    const { written } = await terminateJob(ports, job, (ending) => abandon(job, workerLost(job), ending));
    return written ? 'worker-lost' : 'superseded';
  }
  const { written } = await ports.jobs.write(requeue(job, ports.clock.now()));
  if (!written) return 'superseded';
  await ports.queue.send(job);
  return 'requeued';
}

function queueTimeout({ maxQueueMs }: UnfinishedDeps, job: JobIn<'queued'>): JobFailure {
  const hours = maxQueueMs / 3_600_000;
  return {
    code: 'TIMEOUT',
    message: `No worker took this job within ${hours} hours; the service may be overloaded. Retry it later.`,
    stage: job.stage,
    retryable: true,
  };
}

function workerLost(job: JobIn<'processing'>): JobFailure {
  return {
    code: 'WORKER_LOST',
    message: `The worker stopped without a word in each of ${job.attempt} attempts, the last time while ${job.stage}.`,
    stage: job.stage,
    retryable: true,
  };
}
