import type { AwsCredentialIdentity, Logger, RetryErrorInfo, RetryStrategyV2, RetryToken } from '@smithy/types';
import * as z from 'zod';
import type { OpenedProvider, SignedRequest } from '../../../core/worker/open-job.ts';
import { readEnv } from '../env.ts';

/** Attempts of a call that nobody waits for longer. They take less than a second. */
const usualAttempts = 4;

/** A longer outage ends the attempt of a job, so that its worker is free. */
const maxOutageMs = 3 * 60_000;

const firstPauseMs = 100;
/** So short that a worker renews its lease soon after an outage, before reconcile takes the job for lost. */
const maxPauseMs = 4_000;

let deadlineMs = 0;

/**
 * Has the clients of this process outlast outages until `deadline`, which is that of the invocation: a worker keeps what it has
 * encoded, and no other function waits for its answer.
 */
export function outlastOutages(deadline: Date): void {
  deadlineMs = deadline.getTime();
}

/**
 * Retries of one AWS client, with full jitter: four attempts of each call. After `outlastOutages`, as many as fit into the
 * first three minutes since the client's last success.
 */
export function outageRetries({
  now = Date.now,
  random = Math.random,
  deadline = () => deadlineMs,
} = {}): RetryStrategyV2 {
  let outageSince: number | undefined;
  return {
    acquireInitialRetryToken: async () => retryToken(0, 0),
    async refreshRetryTokenForRetry(token: RetryToken, { error, errorType, retryAfterHint }: RetryErrorInfo) {
      if (errorType === 'CLIENT_ERROR') throw error;
      const at = now();
      outageSince ??= at;
      const retries = token.getRetryCount();
      const backoffMs = random() * Math.min(firstPauseMs * 2 ** retries, maxPauseMs);
      const pauseMs = Math.max(backoffMs, Math.min((retryAfterHint?.getTime() ?? 0) - at, maxPauseMs));
      const isPatient = at + pauseMs < Math.min(deadline(), outageSince + maxOutageMs);
      if (retries + 1 >= usualAttempts && !isPatient) throw error;
      return retryToken(retries + 1, pauseMs);
    },
    recordSuccess() {
      outageSince = undefined;
    },
  };
}

function retryToken(retries: number, pauseMs: number): RetryToken {
  return { getRetryCount: () => retries, getRetryDelay: () => pauseMs };
}

const common = {
  // The SDK's own defaults. A setting that is not given is looked up in the environment and in files, and each one that
  // is not found costs an Error with its stack: 5 % of a cold start.
  defaultsMode: 'legacy' as const,
  maxAttempts: usualAttempts,
  retryMode: 'standard',
  useDualstackEndpoint: false,
  useFipsEndpoint: false,
  authSchemePreference: [],
  userAgentAppId: () => Promise.resolve(undefined),
  // The SDK passes every response to its default logger, field by field without secrets, although that logs nothing.
  logger: {} as Logger,
};

/** Settings of AWS clients with small requests. Timeouts in milliseconds. */
export const clientSettings = {
  ...common,
  // Each client that spreads these settings gets its own, which follows the outages of its service.
  get retryStrategy() {
    return outageRetries();
  },
  // Without these a lost packet blocks a request until the function ends; `requestTimeout` only warns.
  requestHandler: { connectionTimeout: 1_000, socketTimeout: 3_000 },
  // Builds the SDK's middleware stack once per command and not per call.
  cacheMiddleware: true,
};

/** Settings of the client that transfers files. A transfer may take long, but must not stall. */
export const transferSettings = {
  ...common,
  get retryStrategy() {
    return outageRetries();
  },
  requestHandler: { connectionTimeout: 2_000, socketTimeout: 20_000 },
  // S3 stores a CRC-64 with every upload. The SDK verifies it in JavaScript: 3 ms of CPU per megabyte, twice the
  // download itself.
  responseChecksumValidation: 'WHEN_REQUIRED',
} as const;

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

const { OPEN_JOB_FUNCTION } = readEnv(z.object({ OPEN_JOB_FUNCTION: z.string().optional() }));

/** Settings of the clients that read and write what belongs to a job. Other functions have credentials of their own. */
export const ofJob =
  OPEN_JOB_FUNCTION === undefined
    ? {}
    : // The SDK keeps credentials until they expire, also for the next job.
      { credentials: async () => ({ ...(await jobAccess()).credentials, expiration: new Date(0) }) };
