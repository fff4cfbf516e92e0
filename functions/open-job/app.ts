import type { JobRef } from '../../core/jobs/ports.ts';
import { holdsLease, type JobIn } from '../../core/jobs/record.ts';
import { isFileOf } from '../../core/jobs/stored-file.ts';
import type { OpenedProvider, OpenJobRequest, UploadsRequest } from '../../core/worker/open-job.ts';
import type { ClaimPorts } from '../../core/worker/ports.ts';
import { claimEconomyJob, claimNextJob } from './claim-job.ts';
import { openProviders, openUploads, type ProviderPorts } from './open-providers.ts';

export type OpenJobPorts<Credentials> = ClaimPorts &
  ProviderPorts & {
    /** Credentials for one owner and one job, for an hour. */
    assume(job: JobRef & { retriedJobId: string | undefined; keyJobId: string | undefined }): Promise<Credentials>;
  };

export type OpenedJob<Credentials> = {
  job: JobIn<'processing'>;
  credentials: Credentials;
  providers: Record<string, OpenedProvider>;
};

/**
 * Gives a worker a job, the credentials for it, and access to its storage providers: the next one of the queue, which it
 * claims, or one whose lease the worker or its execution holds. Undefined if there is none, or if the lease is lost.
 */
export async function openJob<Credentials>(
  ports: OpenJobPorts<Credentials>,
  request: Exclude<OpenJobRequest, UploadsRequest>,
): Promise<OpenedJob<Credentials> | undefined> {
  const job = await claimOrFind(ports, request);
  if (job === undefined) return undefined;
  const { ownerId, jobId, contentKey } = job;
  const [credentials, providers] = await Promise.all([
    ports.assume({ ownerId, jobId, retriedJobId: retriedJobOf(job), keyJobId: contentKey?.jobId }),
    openProviders(ports, job),
  ]);
  return { job, credentials, providers };
}

/** Opens uploads of a job whose lease the worker holds, see `openUploads`. Undefined if the lease is lost. */
export async function openUploadsOf(
  ports: Pick<ClaimPorts, 'jobs'> & ProviderPorts,
  request: UploadsRequest,
): ReturnType<typeof openUploads> {
  const job = await leasedJob(ports, request.lease);
  return job && openUploads(ports, job, request);
}

/** The job whose files a retry reads: those that were not published, or outputs that it takes over and has not copied yet. */
function retriedJobOf(job: JobIn<'processing'>): string | undefined {
  const { result, intermediates = {} } = job.completedSteps ?? {};
  const kept = [...Object.values(result?.files ?? {}), ...Object.values(intermediates)];
  return job.unpublished?.jobId ?? kept.find((file) => !isFileOf(job, file))?.key.split('/')[1];
}

function claimOrFind(
  ports: ClaimPorts,
  request: Exclude<OpenJobRequest, UploadsRequest>,
): Promise<JobIn<'processing'> | undefined> {
  if ('message' in request) return claimNextJob(ports, request.message);
  return 'pool' in request ? claimEconomyJob(ports, request.pool) : leasedJob(ports, request.lease);
}

async function leasedJob(
  { jobs }: Pick<ClaimPorts, 'jobs'>,
  { leaseId, ...ref }: JobRef & { leaseId: string },
): Promise<JobIn<'processing'> | undefined> {
  const job = await jobs.get(ref);
  return holdsLease(leaseId, job) ? job : undefined;
}
