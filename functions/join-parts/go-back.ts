import type { EndedJob, JobIn } from '../../core/jobs/job.ts';
import { fallBack } from '../../core/jobs/parallel.ts';
import type { TranscodeQueue } from '../../core/jobs/ports.ts';
import { giveUp, mayRequeue } from '../../core/jobs/transitions.ts';
import { type EndingPorts, endJob } from '../ending/end-job.ts';
import type { JoinTask } from '../parts/task.ts';

export type GoBackPorts = EndingPorts & { queue: TranscodeQueue };

/** A part whose function was cut off may still note something, each time one write of this function is refused. */
const mostTries = 10;

/** Sends a job that could not be done in parts back to be encoded in one piece, or fails it after its last attempt. */
export async function goBack(
  ports: GoBackPorts,
  task: JoinTask,
  because: string,
): Promise<'requeued' | EndedJob['state'] | 'lost'> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const job = await ports.jobs.get(task);
    if (job?.state !== 'processing' || job.leaseId !== task.leaseId) return 'lost';
    if (await (mayRequeue(job) ? requeue(ports, job, because) : fail(ports, job, because))) {
      return mayRequeue(job) ? 'requeued' : 'failed';
    }
  }
  throw new Error(`Job ${task.jobId} keeps changing`);
}

async function requeue({ jobs, queue, clock }: GoBackPorts, job: JobIn<'processing'>, because: string) {
  const { written } = await jobs.write(fallBack(job, because, clock.now()));
  if (written) await queue.send(job);
  return written;
}

async function fail(ports: GoBackPorts, job: JobIn<'processing'>, because: string) {
  const message = `The video could not be encoded in chunks: ${because}`;
  const error = { code: 'TRANSCODE_ERROR', message, stage: job.stage, retryable: true } as const;
  const { written } = await endJob(ports, job, (ending) => giveUp(job, { state: 'failed', error }, ending));
  return written;
}
