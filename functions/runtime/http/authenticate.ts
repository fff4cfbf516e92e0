import * as z from 'zod';
import { keyTable } from '../../../adapters/dynamodb/key-table.ts';
import { hashApiKey, isWellFormedApiKey } from '../../../core/access/api-key.ts';
import { readCredential } from '../../../core/access/credential.ts';
import type { KeyTable } from '../../../core/access/key-record.ts';
import type { Principal } from '../../../core/access/principal.ts';
import { isJwtShaped, type VerifySession } from '../../../core/access/session.ts';
import { AppError } from '../../../core/errors.ts';
import { dynamo } from '../clients/dynamo.ts';
import { readEnv } from '../env.ts';
import { sessionsFromEnvironment } from './sessions.ts';

/** `recordUse` writes the last use of the key, where that is due; it runs beside the request's own work. */
export type Authenticated = { principal: Principal; recordUse?: () => Promise<void> };

/** Who sends a request with these headers (lower-cased names). Throws AppError UNAUTHORIZED. */
export type Authenticate = (headers: Record<string, string | undefined>) => Promise<Authenticated>;

export type AuthenticateDeps = {
  keys: Pick<KeyTable, 'findByHash' | 'recordUse'>;
  /** Undefined where the stage has no identity provider. */
  verifySession: VerifySession | undefined;
  now: () => Date;
};

/** Authenticates by the keys in the stage's table and the tokens of its identity provider. */
export function authenticateFromEnvironment(): Authenticate {
  const { TABLE_NAME } = readEnv(z.object({ TABLE_NAME: z.string() }));
  return authenticate({
    keys: keyTable(dynamo, TABLE_NAME),
    verifySession: sessionsFromEnvironment(),
    now: () => new Date(),
  });
}

/** A credential is an API key or a session token, told apart by their form; a token counts in `Authorization` alone. */
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

/** Looks a key up by its hash, strongly consistently and never cached; what cannot be a key is not looked up. */
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
