import * as z from 'zod';
import { hashApiKey } from '../../../core/access/api-key.ts';
import { readCredential } from '../../../core/access/authentication.ts';
import { type RateLimit, rateLimiter, rateLimitSchema, type TokenBuckets } from '../../../core/access/rate-limit.ts';
import { jsonText } from '../../../core/json-text.ts';
import { takeTokens } from '../../dynamodb/token-buckets.ts';
import { dynamo } from '../clients/dynamo.ts';
import { readEnv } from '../env.ts';
import { logger } from '../logger.ts';

/** Counts a request by its headers (lower-case names). Throws AppError RATE_LIMITED. */
export type CountRequest = (headers: Record<string, string | undefined>) => Promise<void>;

const rateEnv = z.object({ TABLE_NAME: z.string(), RATE_LIMIT: jsonText(rateLimitSchema) });

let shared: CountRequest | undefined;

/**
 * Counts the requests of each credential in the stage's table, of all routes of the function together; undefined if the stage
 * has no rate limit.
 */
export function rateLimitFromEnvironment(): CountRequest | undefined {
  const { RATE_LIMIT } = readEnv(z.object({ RATE_LIMIT: z.string().optional() }));
  if (RATE_LIMIT === undefined) return undefined;
  const env = readEnv(rateEnv);
  shared ??= countRequests(env.RATE_LIMIT, {
    take: (hash, batch) => answerInTime(takeTokens(dynamo, env.TABLE_NAME, hash, batch)),
  });
  return shared;
}

export function countRequests(
  limit: RateLimit,
  buckets: TokenBuckets,
  random: () => number = Math.random,
): CountRequest {
  const count = rateLimiter(limit, { buckets, nowMs: Date.now, random });
  return (headers) => count(hashApiKey(withoutSignature(readCredential(headers) ?? '')));
}

/**
 * The part of a session token that its issuer has signed; an API key as it is. The last character of a signature has bits that
 * nobody reads, so a token can be written in many ways, and all of them are valid.
 */
function withoutSignature(credential: string): string {
  return credential.split('.', 2).join('.');
}

/** No request waits longer for its tokens, nor fails for want of an answer: it passes. */
const maxAnswerMs = 50;

/** The answer of the table, or `unknown` after `maxAnswerMs` and if there is none. */
export async function answerInTime(taking: Promise<number | undefined>): ReturnType<TokenBuckets['take']> {
  const late = Promise.withResolvers<'unknown'>();
  const timer = setTimeout(late.resolve, maxAnswerMs, 'unknown');
  try {
    return (await Promise.race([taking, late.promise])) ?? 'none';
  } catch (error) {
    logger.warn('The rate of a credential could not be counted', { error });
    return 'unknown';
  } finally {
    clearTimeout(timer);
    // An answer that comes too late may be an error.
    taking.catch(() => undefined);
  }
}
