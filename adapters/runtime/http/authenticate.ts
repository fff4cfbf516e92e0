import * as z from 'zod';
import { type AuditLog, auditEntry } from '../../../core/access/audit.ts';
import {
  isJwtShaped,
  type Principal,
  readCredential,
  type VerifySession,
} from '../../../core/access/authentication.ts';
import {
  hashApiKey,
  isExpired,
  isWellFormedApiKey,
  type KeyGrant,
  type KeyTable,
} from '../../../core/access/key-record.ts';
import { stageOwnerId, type Tenancy } from '../../../core/access/owner.ts';
import { type RateLimit, rateLimiter, rateLimitSchema, type TokenBuckets } from '../../../core/access/rate-limit.ts';
import type { Contract } from '../../../core/api/contract.ts';
import { AppError } from '../../../core/errors.ts';
import { jsonText } from '../../../core/json-text.ts';
import { auditLog } from '../../dynamodb/audit-log.ts';
import { keyTable } from '../../dynamodb/key-table.ts';
import { ownerSalt } from '../../dynamodb/owner-salt.ts';
import { takeTokens } from '../../dynamodb/token-buckets.ts';
import { oidcSessions } from '../../oidc/sessions.ts';
import { newId, randomBytes } from '../../system/clock.ts';
import { dynamo } from '../clients/dynamo.ts';
import { readEnv, readTenancy } from '../env.ts';
import { logger } from '../logger.ts';

/** `recordUse` is set if the key's recorded use is over a minute old. The route runs it concurrently with the app. */
export type Authenticated = { principal: Principal; recordUse?: () => Promise<void> };

/** Authenticates a request by its headers (lower-case names). Throws AppError UNAUTHORIZED. */
export type Authenticate = (headers: Record<string, string | undefined>) => Promise<Authenticated>;

export type AuthenticateDeps = {
  keys: KeyTable;
  /** Undefined if the stage has no identity provider. */
  verifySession: VerifySession | undefined;
  tenancy: Tenancy;
  now: () => Date;
};

let ofFunction: Authenticate | undefined;

/**
 * Authenticates by the keys in the stage's table and the session tokens of its identity provider. The routes of a function
 * share the result, and with it the signing keys of the provider.
 */
export function authenticateFromEnvironment(): Authenticate {
  ofFunction ??= readAuthenticate();
  return ofFunction;
}

function readAuthenticate(): Authenticate {
  const { TABLE_NAME } = readEnv(z.object({ TABLE_NAME: z.string() }));
  return authenticate({
    keys: keyTable(dynamo, TABLE_NAME),
    verifySession: sessionVerifierFromEnvironment(TABLE_NAME),
    tenancy: readTenancy(),
    now: () => new Date(),
  });
}

/** The form of a credential decides whether it is an API key or a session token. A token is valid in `Authorization` only. */
export function authenticate(deps: AuthenticateDeps): Authenticate {
  return async (headers) => {
    const credential = readCredential(headers);
    if (credential === undefined) throw unauthorized('Send one API key, as Authorization: Bearer or as X-API-KEY.');
    const { verifySession } = deps;
    if (verifySession !== undefined && headers['x-api-key'] === undefined && isJwtShaped(credential)) {
      return { principal: { ...(await verifySession(credential)), caller: 'session' } };
    }
    return authenticateByKey(deps, credential);
  };
}

const minuteMs = 60_000;

async function authenticateByKey({ keys, tenancy, now }: AuthenticateDeps, credential: string): Promise<Authenticated> {
  const usedAt = now();
  const { key, parent } = await findValidKey(keys, credential, usedAt);
  const { ownerId, lastUsedAt } = key;
  if (tenancy === 'single' && ownerId !== stageOwnerId) {
    throw unauthorized('The API key is of an owner that this stage had when it had several: create another key.');
  }
  const principal: Principal = { ownerId, caller: 'key', key, ...(parent === undefined ? {} : { parent }) };
  const unlessRecordedSince = new Date(usedAt.getTime() - minuteMs);
  if (lastUsedAt !== undefined && unlessRecordedSince.toISOString() < lastUsedAt) return { principal };
  return { principal, recordUse: () => keys.recordUse(key, { usedAt, unlessRecordedSince }) };
}

type ValidKey = { key: KeyGrant; parent?: KeyGrant };

/**
 * Looks up a key by its hash: strongly consistent, not cached. A malformed key is rejected without a read. A key that
 * another key created costs one more read, so that revoking the other ends it at once.
 */
async function findValidKey(keys: KeyTable, credential: string, now: Date): Promise<ValidKey> {
  if (!isWellFormedApiKey(credential)) throw unauthorized('The API key is not valid: it may be truncated or altered.');
  const key = await keys.findByHash(hashApiKey(credential));
  if (key === undefined) throw unauthorized('The API key is unknown or was revoked.');
  if (isExpired(key, now)) throw unauthorized(`The API key expired at ${key.expiresAt}.`);
  if (key.parentHash === undefined) return { key };
  const parent = await keys.findByHash(key.parentHash);
  if (parent === undefined) throw unauthorized('The key that created this API key was revoked.');
  return { key, parent };
}

function unauthorized(message: string): AppError {
  return new AppError('UNAUTHORIZED', message);
}

const sessionEnv = z.object({
  OIDC_ISSUER: z.string().optional(),
  OIDC_AUDIENCE: z.string().default(''),
  OIDC_AUDIENCE_CLAIM: z.enum(['aud', 'client_id']).default('aud'),
  OIDC_JWKS_URI: z.string().optional(),
  OIDC_ORGANISATION_CLAIM: z.string().optional(),
  OIDC_ORGANISATION: z.string().optional(),
});

/** Verifies session tokens of the stage's identity provider; undefined if it has none. */
function sessionVerifierFromEnvironment(tableName: string): VerifySession | undefined {
  const env = readEnv(sessionEnv);
  const { OIDC_ISSUER: issuer } = env;
  if (issuer === undefined) return undefined;
  const settings = {
    issuer,
    audience: env.OIDC_AUDIENCE,
    audienceClaim: env.OIDC_AUDIENCE_CLAIM,
    jwksUri: env.OIDC_JWKS_URI,
    tenancy: readTenancy(),
    organisationClaim: env.OIDC_ORGANISATION_CLAIM,
    organisation: env.OIDC_ORGANISATION,
  };
  return oidcSessions(settings, ownerSalt(dynamo, tableName, randomBytes));
}

/** Writes the entry of an answered request. A failure is logged: the change itself is made, and no answer takes it back. */
export type RecordAudit = (request: { principal: Principal; params?: unknown; answer?: unknown }) => Promise<void>;

/** The audit of a route; undefined if its requests have no entries. */
export function auditFromEnvironment(contract: Contract): RecordAudit | undefined {
  if (contract.audit === undefined) return undefined;
  const { TABLE_NAME } = readEnv(z.object({ TABLE_NAME: z.string() }));
  return recordAudit(contract, auditLog(dynamo, TABLE_NAME));
}

function recordAudit(contract: Contract, log: Pick<AuditLog, 'append'>): RecordAudit {
  return async (request) => {
    const entry = auditEntry(contract, request, new Date());
    await log
      .append(request.principal.ownerId, { id: newId(), ...entry })
      .catch((error) => logger.error('An entry of the audit log could not be written', { ...entry, error }));
  };
}

/** Counts a request, as several if so stated, by its headers (lower-case names). Throws AppError RATE_LIMITED. */
export type CountRequest = (headers: Record<string, string | undefined>, requests?: number) => Promise<void>;

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
  return (headers, requests) => count(hashApiKey(withoutSignature(readCredential(headers) ?? '')), requests);
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
