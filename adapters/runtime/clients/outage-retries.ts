import type { RetryErrorInfo, RetryStrategyV2, RetryToken } from '@smithy/types';

/** Attempts of a call that nobody waits for longer. They take less than a second. */
export const usualAttempts = 4;

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
