import type { AwsCredentialIdentity } from '@smithy/types';
import * as z from 'zod';
import type { OpenedProvider, SignedRequest } from '../../../core/worker/open-job.ts';
import { readEnv } from '../env.ts';

export type JobCredentials = AwsCredentialIdentity & { expiration: Date };

/** Credentials for one job, and access to its storage providers by their ids. All end within an hour. */
export type JobAccess = { credentials: JobCredentials; providers: Readonly<Record<string, OpenedProvider>> };

/** The access of one job, and how to get a newer one. */
type JobSession = { access: JobAccess; renew: () => Promise<JobAccess> };

/** Before the end, since a request may wait for retries. */
const renewBeforeMs = 10 * 60_000;

let session: JobSession | undefined;
let renewal: Promise<JobAccess> | undefined;

/** Requests of storage providers that open-job has signed for uploads of the open job, by provider and name. */
export const signedForJob = new Map<string, { request: SignedRequest; until: number }>();

/** Signs what the clients of this worker send from now on. A worker has one job at a time. */
export function signForJob(next: JobSession): void {
  session = next;
  signedForJob.clear();
  renewal = undefined;
}

/** The access of the open job. It is renewed before it ends, if the worker still holds the lease. */
export async function jobAccess(): Promise<JobAccess> {
  if (session === undefined) throw new Error('This worker has no job: it has no credentials for items and files');
  const using = session;
  if (using.access.credentials.expiration.getTime() - Date.now() < renewBeforeMs) {
    renewal ??= using.renew().finally(() => {
      renewal = undefined;
    });
    using.access = await renewal;
  }
  return using.access;
}

/** The SDK keeps credentials until they expire, also for the next job. */
async function current(): Promise<AwsCredentialIdentity> {
  return { ...(await jobAccess()).credentials, expiration: new Date(0) };
}

const { OPEN_JOB_FUNCTION } = readEnv(z.object({ OPEN_JOB_FUNCTION: z.string().optional() }));

/** Settings of the clients that read and write what belongs to a job. Other functions have credentials of their own. */
export const ofJob = OPEN_JOB_FUNCTION === undefined ? {} : { credentials: current };
