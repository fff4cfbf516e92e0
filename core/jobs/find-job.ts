import { AppError } from '../errors.ts';
import { jobNotFoundMessage } from './job-id.ts';
import type { JobRef, JobTable } from './ports.ts';
import type { Job, JobRecord } from './record.ts';

/** Reads a job of the owner. Throws AppError NOT_FOUND. */
export async function findJob(jobs: Pick<JobTable, 'get'>, ref: JobRef): Promise<Job> {
  return visibleJob(await jobs.get(ref));
}

/** The job of a record that is not deleted. Throws AppError NOT_FOUND. */
export function visibleJob(job: JobRecord | undefined): Job {
  if (job === undefined || job.state === 'deleted') throw new AppError('NOT_FOUND', jobNotFoundMessage);
  return job;
}
