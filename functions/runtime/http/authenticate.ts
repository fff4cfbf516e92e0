import * as z from 'zod';
import { keyTable } from '../../../adapters/dynamodb/key-table.ts';
import { hashApiKey, isWellFormedApiKey } from '../../../core/access/api-key.ts';
import {
  isJwtShaped,
  type Principal,
  readCredential,
  type VerifySession,
} from '../../../core/access/authentication.ts';
import type { KeyTable } from '../../../core/access/key-record.ts';
import { AppError } from '../../../core/errors.ts';
import { dynamo } from '../clients/dynamo.ts';
import { readEnv } from '../env.ts';

/** `recordUse` is set if the last use of the key is due to be written. It runs concurrently with the request's work. */
export type Authenticated = { principal: Principal; recordUse?: () => Promise<void> };

/** Authenticates a request by its headers (lower-case names). Throws AppError UNAUTHORIZED. */
export type Authenticate = (headers: Record<string, string | undefined>) => Promise<Authenticated>;

export type AuthenticateDeps = {
  keys: KeyTable;
  /** Undefined if the stage has no identity provider. */
  verifySession: VerifySession | undefined;
  now: () => Date;
};

/** Authenticates by the keys in the stage's table and the session tokens of its identity provider. */
export function authenticateFromEnvironment(): Authenticate {
  const { TABLE_NAME } = readEnv(z.object({ TABLE_NAME: z.string() }));
  return authenticate({
    keys: keyTable(dynamo, TABLE_NAME),
    verifySession: sessionsFromEnvironment(),
    now: () => new Date(),
  });
}

/** The form of a credential decides whether it is an API key or a session token. A token is valid in `Authorization` only. */
export function authenticate(credentials: AuthenticateDeps): Authenticate {
  return async (headers) => {
    const credential = readCredential(headers);
    if (credential === undefined) {
      throw unauthorized('Send one API key, as Authorization: Bearer or as X-API-KEY.');
    }
    const { verifySession } = credentials;
    if (verifySession !== undefined && headers['x-api-key'] === undefined && isJwtShaped(credential)) {
      return { principal: { ...(await verifySession(credential)), caller: 'session' } };
    }
    return byKey(credentials, credential);
  };
}

const minuteMs = 60_000;

/** Looks up a key by its hash: strongly consistent, not cached. A malformed key is rejected without a read. */
async function byKey({ keys, now }: AuthenticateDeps, credential: string): Promise<Authenticated> {
  if (!isWellFormedApiKey(credential)) {
    throw unauthorized('The API key is not valid: it may have been cut or altered.');
  }
  const hash = hashApiKey(credential);
  const owner = await keys.findByHash(hash);
  if (owner === undefined) throw unauthorized('The API key is unknown or was revoked.');
  const { ownerId, keyId, lastUsedAt } = owner;
  const principal: Principal = { ownerId, caller: 'key' };
  const usedAt = now();
  const unlessRecordedSince = new Date(usedAt.getTime() - minuteMs);
  if (lastUsedAt !== undefined && unlessRecordedSince.toISOString() < lastUsedAt) return { principal };
  return {
    principal,
    recordUse: () => keys.recordUse({ ownerId, keyId, hash }, { usedAt, unlessRecordedSince }),
  };
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
});

/**
 * Verifies session tokens of the stage's identity provider; undefined if it has none. The verifier is imported with the
 * first token, so that requests with an API key do not load it.
 */
export function sessionsFromEnvironment(): VerifySession | undefined {
  const env = readEnv(sessionEnv);
  const { OIDC_ISSUER: issuer } = env;
  if (issuer === undefined) return undefined;
  let loaded: Promise<VerifySession> | undefined;
  const load = async (): Promise<VerifySession> => {
    const { oidcSessions } = await import('../../../adapters/oidc/sessions.ts');
    return oidcSessions({
      issuer,
      audience: env.OIDC_AUDIENCE,
      audienceClaim: env.OIDC_AUDIENCE_CLAIM,
      jwksUri: env.OIDC_JWKS_URI,
      organisationClaim: env.OIDC_ORGANISATION_CLAIM,
    });
  };
  return async (token) => {
    loaded ??= load();
    const verify = await loaded;
    return verify(token);
  };
}
