import type { ParallelMachine } from '../../core/chunks/ports.ts';
import type { JobFailure, JobIn } from '../../core/jobs/job.ts';
import { foundRunning } from '../../core/jobs/parallel.ts';
import type { TranscodeQueue } from '../../core/jobs/ports.ts';
import { abandon, mayRequeue, requeue, resend } from '../../core/jobs/transitions.ts';
import { type EndingPorts, endJob } from '../ending/end-job.ts';

export type UnfinishedPorts = EndingPorts & {
  queue: TranscodeQueue;
  parallel: Pick<ParallelMachine, 'isRunning'>;
  queueAgeMs: number;
};
export type UnfinishedStep =
  | 'resent'
  | 'requeued'
  | 'timed-out'
  | 'still-running'
  | 'worker-lost'
  | 'overtaken';

/** A queued job that nobody has claimed: its message is sent again, or the job fails when it has waited too long. */
export async function resumeQueued(ports: UnfinishedPorts, job: JobIn<'queued'>): Promise<UnfinishedStep> {
  const now = ports.clock.now();
  if (now.getTime() - Date.parse(job.queuedAt) >= ports.queueAgeMs) {
    const { written } = await endJob(ports, job, (ending) => abandon(job, queueTimeout(ports, job), ending));
    return written ? 'timed-out' : 'overtaken';
  }
  const { written } = await ports.jobs.write(resend(job, now));
  if (!written) return 'overtaken';
  await ports.queue.send(job);
  return 'resent';
}

/**
 * A job whose worker let its lease end: it goes back into the queue, or fails after its last attempt. One that was left
 * to a state machine has nobody else to look whether that runs.
 */
export async function recoverLost(ports: UnfinishedPorts, job: JobIn<'processing'>): Promise<UnfinishedStep> {
  if (job.execution !== undefined && (await ports.parallel.isRunning(job.execution.name))) {
    const { written } = await ports.jobs.write(foundRunning(job, ports.clock.now()));
    return written ? 'still-running' : 'overtaken';
  }
  if (!mayRequeue(job)) {
    const { written } = await endJob(ports, job, (ending) => abandon(job, workerLost(job), ending));
    return written ? 'worker-lost' : 'overtaken';
  }
  const { written } = await ports.jobs.write(requeue(job, ports.clock.now()));
  if (!written) return 'overtaken';
  await ports.queue.send(job);
  return 'requeued';
}

function queueTimeout({ queueAgeMs }: UnfinishedPorts, job: JobIn<'queued'>): JobFailure {
  const hours = queueAgeMs / 3_600_000;
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
