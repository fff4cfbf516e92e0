import { setTimeout } from 'node:timers/promises';
import type { JobResource } from '../../../core/api/job-resource.ts';
import type { Api } from './running-stage.ts';

/** Polling faster would take CPU time from the job. */
const pauseMs = 50;
const patienceMs = 120_000;

/**
 * Waits until a job has ended; calls `onRead` with every read on the way. It does not use `vi`, which
 * scripts/screenshots.ts does not have.
 *
 * @throws Error with its last stage if it has not ended after two minutes
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
    if (performance.now() > deadline)
      throw new Error(`Job ${jobId} has not ended: stage ${job.stage}, ${job.progress} %`);
    await setTimeout(pauseMs);
  }
}
