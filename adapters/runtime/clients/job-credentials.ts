import type { AwsCredentialIdentity } from '@smithy/types';
import * as z from 'zod';
import { readEnv } from '../env.ts';

export type JobCredentials = AwsCredentialIdentity & { expiration: Date };

/** Credentials for one job, and how to get newer ones. */
type JobSession = { credentials: JobCredentials; renew: () => Promise<JobCredentials> };

/** Before the end, since a request may wait for retries. */
const renewBeforeMs = 10 * 60_000;

let session: JobSession | undefined;
let renewal: Promise<JobCredentials> | undefined;

/** Signs what the clients of this worker send from now on. A worker has one job at a time. */
export function signForJob(next: JobSession): void {
  session = next;
  renewal = undefined;
}

async function current(): Promise<AwsCredentialIdentity> {
  if (session === undefined) throw new Error('This worker has no job: it has no credentials for items and files');
  const using = session;
  if (using.credentials.expiration.getTime() - Date.now() < renewBeforeMs) {
    renewal ??= using.renew().finally(() => {
      renewal = undefined;
    });
    using.credentials = await renewal;
  }
  // The SDK keeps credentials until they expire, also for the next job.
  return { ...using.credentials, expiration: new Date(0) };
}

const { OPEN_JOB_FUNCTION } = readEnv(z.object({ OPEN_JOB_FUNCTION: z.string().optional() }));

/** Settings of the clients that read and write what belongs to a job. Other functions have credentials of their own. */
export const ofJob = OPEN_JOB_FUNCTION === undefined ? {} : { credentials: current };
