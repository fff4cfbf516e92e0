import { deserialize } from 'node:v8';
import * as z from 'zod';
import type { JobRef } from '../../core/jobs/ports.ts';
import type { JobIn } from '../../core/jobs/record.ts';
import { type OpenJobRequest, openJobAnswerSchema } from '../../core/worker/open-job.ts';
import { invoke } from '../lambda/invoke.ts';
import { type JobCredentials, signForJob } from './clients/job-credentials.ts';
import { lambda } from './clients/lambda.ts';
import { readEnv } from './env.ts';

const { OPEN_JOB_FUNCTION } = readEnv(z.object({ OPEN_JOB_FUNCTION: z.string() }));

let lease: JobRef & { leaseId: string };

/**
 * Opens a job: from now on the clients of this worker have the credentials for it, as long as its lease holds. Undefined if
 * there is no job, or if the lease is lost.
 */
export async function openJob(request: OpenJobRequest): Promise<JobIn<'processing'> | undefined> {
  const opened = await ask(request);
  if (opened === undefined) return undefined;
  leaseChanged(opened.job);
  signForJob({ credentials: opened.credentials, renew });
  return opened.job;
}

/** The worker has taken the open job over under another lease. */
export function leaseChanged({ ownerId, jobId, leaseId }: JobIn<'processing'>): void {
  lease = { ownerId, jobId, leaseId };
}

async function ask(
  request: OpenJobRequest,
): Promise<{ job: JobIn<'processing'>; credentials: JobCredentials } | undefined> {
  const answer = openJobAnswerSchema.parse(await invoke(lambda, OPEN_JOB_FUNCTION, request));
  return answer === null
    ? undefined
    : { job: deserialize(Buffer.from(answer.job, 'base64')), credentials: answer.credentials };
}

async function renew(): Promise<JobCredentials> {
  const again = await ask({ lease });
  if (again === undefined) throw new Error(`The lease of the job ${lease.jobId} is lost`);
  return again.credentials;
}
