import type { getJobContract } from '../../../core/api/jobs.ts';
import { AppError } from '../../../core/errors.ts';
import type { Clock, JobTable, MediaFiles } from '../../../core/jobs/ports.ts';
import { resultFiles, viewJob } from '../../../core/jobs/view.ts';
import type { RouteApp } from '../../runtime/http/route.ts';

export type GetJobPorts = {
  jobs: Pick<JobTable, 'get'>;
  files: Pick<MediaFiles, 'signDownload'>;
  clock: Pick<Clock, 'now'>;
};

export function getJob({ jobs, files, clock }: GetJobPorts): RouteApp<typeof getJobContract> {
  return async ({ params, principal: { ownerId } }) => {
    const job = await jobs.get({ ownerId, jobId: params.id });
    if (job === undefined || job.state === 'deleted') {
      throw new AppError('NOT_FOUND', 'There is no such job.');
    }
    return { status: 200, body: viewJob(job, await resultFiles(job, files.signDownload, clock.now())) };
  };
}
