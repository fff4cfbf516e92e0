import * as z from 'zod';
import { keyTable } from '../../../adapters/dynamodb/key-table.ts';
import { hashApiKey, isWellFormedApiKey } from '../../../core/access/api-key.ts';
import { readCredential } from '../../../core/access/credential.ts';
import type { KeyTable } from '../../../core/access/key-record.ts';
import type { Principal } from '../../../core/access/principal.ts';
import { AppError } from '../../../core/errors.ts';
import { dynamo } from '../clients/dynamo.ts';
import { readEnv } from '../env.ts';

/** Who sends a request with these headers (lower-cased names). Throws AppError UNAUTHORIZED. */
export type Authenticate = (headers: Record<string, string | undefined>) => Promise<Principal>;

/** Authenticates by the keys in the stage's table. */
export function authenticateFromEnvironment(): Authenticate {
  const { TABLE_NAME } = readEnv(z.object({ TABLE_NAME: z.string() }));
  return authenticate({ keys: keyTable(dynamo, TABLE_NAME), now: () => new Date() });
}

const minuteMs = 60_000;

/** Looks an API key up by its hash, strongly consistently and never cached; what cannot be a key is not looked up. */
export function authenticate({ keys, now }: { keys: KeyTable; now: () => Date }): Authenticate {
  return async (headers) => {
    const credential = readCredential(headers);
    if (credential === undefined)
      throw unauthorized('Send an API key as Authorization: Bearer or as X-API-KEY.');
    if (!isWellFormedApiKey(credential))
      throw unauthorized('The API key is not valid: it may have been cut or altered.');
    const hash = hashApiKey(credential);
    const owner = await keys.findByHash(hash);
    if (owner === undefined) throw unauthorized('The API key is unknown or was revoked.');
    const { ownerId, keyId, lastUsedAt } = owner;
    const usedLately = lastUsedAt !== undefined && now().getTime() - Date.parse(lastUsedAt) < minuteMs;
    const noted = usedLately ? undefined : keys.noteUse({ ownerId, keyId, hash }, now());
    return { ownerId, caller: 'key', ...(noted === undefined ? {} : { noted }) };
  };
}

function unauthorized(message: string): AppError {
  return new AppError('UNAUTHORIZED', message);
}
