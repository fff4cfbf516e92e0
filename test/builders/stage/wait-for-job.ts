import { setTimeout } from 'node:timers/promises';
import type { JobResource } from '../../../core/api/job-resource.ts';
import type { Api } from './running-stage.ts';

/** A job wants the processor too. */
const pauseMs = 50;
const patienceMs = 120_000;

/**
 * A job once it has ended; `onRead` is told of every reading on the way. Without `vi`, which the screenshots do not have.
 *
 * @throws Error with its last stage where it does not end
 */
export async function waitForJobEnd(
  api: Api,
  jobId: string,
  onRead: (job: JobResource) => void = () => {},
): Promise<JobResource> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const job = (await api('GET', `/api/v1/jobs/${jobId}`)).body as JobResource;
    onRead(job);
    if (job.completedAt !== null) return job;
    if (performance.now() > deadline) throw new Error(`Job ${jobId} is ${job.stage}, ${job.progress} %`);
    await setTimeout(pauseMs);
  }
}
