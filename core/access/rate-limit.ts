import { integerBetween } from '@media-jobs/video/values';
import * as z from 'zod';
import { AppError } from '../errors.ts';

/**
 * A bucket of tokens for each key or session: at most `burst`, filled at `requestsPerSecond`. A request takes one, or as many
 * as its route counts for.
 */
export const rateLimitSchema = z.strictObject({
  requestsPerSecond: integerBetween(1, 1_000),
  burst: integerBetween(1, 10_000),
});

export type RateLimit = z.infer<typeof rateLimitSchema>;

/** Takes the time `takenMs` in which the bucket fills by a batch, unless it would then be full only after `latestFullAtMs`. */
export type TokenBatch = {
  nowMs: number;
  takenMs: number;
  latestFullAtMs: number;
  /** When the bucket was last known to be full again. Others may have taken from it since. */
  knownFullAtMs: number;
};

export type TokenBuckets = {
  /**
   * The time at which the bucket is full again, in Unix milliseconds. `none`: it has less than a batch. `unknown`: there was
   * no answer in time.
   */
  take(credentialHash: string, batch: TokenBatch): Promise<number | 'none' | 'unknown'>;
};

/**
 * Tokens that a function takes at once: a request in ten costs a call, and each function may serve ten requests too many. It
 * begins with some that it has not taken: requests that come at once come to as many functions, one to each, which would
 * otherwise take the bucket empty for a few of them. How many is random, so that they do not all take a batch at once later.
 */
const batchTokens = 10;

/** Beyond, the credential that came first is forgotten, with the tokens that are held for it. */
const maxCredentials = 1_000;

type Held = { tokens: number; fullAtMs: number; refusedUntilMs: number };

/**
 * Counts the requests of each credential, by its hash, in one process. It answers a refused credential without a call until
 * the bucket may have a batch.
 *
 * @throws AppError RATE_LIMITED
 */
export function rateLimiter(
  limit: RateLimit,
  { buckets, nowMs, random }: { buckets: TokenBuckets; nowMs: () => number; random: () => number },
): (credentialHash: string, requests?: number) => Promise<void> {
  const msFor = (tokens: number) => Math.ceil((tokens * 1000) / limit.requestsPerSecond);
  const batch = Math.min(batchTokens, limit.burst);
  const takenMs = msFor(batch);
  const heldByHash = new Map<string, Held>();
  const holdFirst = (credentialHash: string): Held => {
    const held = { tokens: 1 + Math.floor(random() * batch), fullAtMs: 0, refusedUntilMs: 0 };
    heldByHash.set(credentialHash, held);
    if (heldByHash.size > maxCredentials) heldByHash.delete(heldByHash.keys().next().value ?? '');
    return held;
  };

  return async (credentialHash, requests = 1) => {
    const needed = Math.min(requests, batch);
    const now = nowMs();
    const held = heldByHash.get(credentialHash) ?? holdFirst(credentialHash);
    if (held.tokens < needed) {
      if (now < held.refusedUntilMs) throw rateLimited(limit, held.refusedUntilMs - now);
      const latestFullAtMs = now + msFor(limit.burst);
      const bucket = { nowMs: now, takenMs, latestFullAtMs, knownFullAtMs: held.fullAtMs };
      const fullAtMs = await buckets.take(credentialHash, bucket);
      if (fullAtMs === 'unknown') return;
      if (fullAtMs === 'none') {
        held.refusedUntilMs = now + takenMs;
        throw rateLimited(limit, takenMs);
      }
      Object.assign(held, { tokens: held.tokens + batch, fullAtMs });
    }
    held.tokens -= needed;
  };
}

/** Headers by draft-ietf-httpapi-ratelimit-headers-10: the quota of a window, and what is left of it for how long. */
function rateLimited({ requestsPerSecond, burst }: RateLimit, waitMs: number): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new AppError(
    'RATE_LIMITED',
    `This key or session may send ${requestsPerSecond} requests per second, and ${burst} at once. Try again in ${retryAfterSeconds} s.`,
    {
      retryAfterSeconds,
      headers: {
        'ratelimit-policy': `"requests";q=${burst};w=${Math.ceil(burst / requestsPerSecond)}`,
        ratelimit: `"requests";r=0;t=${retryAfterSeconds}`,
      },
    },
  );
}
