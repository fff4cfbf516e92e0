import { deserialize } from 'node:v8';
import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import * as z from 'zod';
import type { JobRef } from '../../core/jobs/ports.ts';
import type { JobIn } from '../../core/jobs/record.ts';
import {
  type OpenJobRequest,
  openJobAnswerSchema,
  type UploadsRequest,
  uploadsAnswerSchema,
} from '../../core/worker/open-job.ts';
import { type JobAccess, signForJob } from './clients/client-settings.ts';
import { lambda } from './clients/lambda.ts';
import { readEnv } from './env.ts';

// run-batch shares code with the workers, and opens no job.
const { OPEN_JOB_FUNCTION = '' } = readEnv(z.object({ OPEN_JOB_FUNCTION: z.string().optional() }));

let lease: JobRef & { leaseId: string };

/**
 * Opens a job: from now on the clients of this worker have the credentials for it, as long as its lease holds. Undefined if
 * there is no job, or if the lease is lost.
 */
export async function openJob(
  request: Exclude<OpenJobRequest, UploadsRequest>,
): Promise<JobIn<'processing'> | undefined> {
  const opened = await ask(request);
  if (opened === undefined) return undefined;
  leaseChanged(opened.job);
  signForJob({ access: opened, renew });
  return opened.job;
}

/** The worker has taken the open job over under another lease. */
export function leaseChanged({ ownerId, jobId, leaseId }: JobIn<'processing'>): void {
  lease = { ownerId, jobId, leaseId };
}

/** Begins uploads of the open job at a storage provider by keys, or signs their requests, see `openUploads`. */
export async function openUploads(request: Omit<UploadsRequest, 'lease'>) {
  const answer = uploadsAnswerSchema.parse(await invoke(lambda, OPEN_JOB_FUNCTION, { lease, ...request }));
  if (answer === null) throw lostLease();
  return answer;
}

async function ask(request: OpenJobRequest): Promise<(JobAccess & { job: JobIn<'processing'> }) | undefined> {
  const answer = openJobAnswerSchema.parse(await invoke(lambda, OPEN_JOB_FUNCTION, request));
  return answer === null ? undefined : { ...answer, job: deserialize(Buffer.from(answer.job, 'base64')) };
}

async function renew(): Promise<JobAccess> {
  const again = await ask({ lease });
  if (again === undefined) throw lostLease();
  return again;
}

function lostLease(): Error {
  return new Error(`The lease of the job ${lease.jobId} is lost, or its storage provider was removed`);
}

/**
 * Invokes a function and returns what it answers.
 *
 * @throws Error if the function failed
 */
export async function invoke(client: LambdaClient, functionName: string, event: object): Promise<unknown> {
  const command = new InvokeCommand({ FunctionName: functionName, Payload: Buffer.from(JSON.stringify(event)) });
  const { Payload, FunctionError } = await client.send(command);
  const answer: unknown = JSON.parse(Payload?.transformToString() || 'null');
  if (FunctionError === undefined) return answer;
  throw new Error(`${functionName} failed: ${String((answer as { errorMessage?: unknown })?.errorMessage)}`);
}
