import { newApiKey } from '../../../core/access/api-key.ts';
import { createKeyRecord, type KeyRecord, type KeyTable } from '../../../core/access/key-record.ts';
import {
  type createKeyContract,
  type deleteKeyContract,
  keyNotFoundMessage,
  type listKeysContract,
} from '../../../core/api/keys.ts';
import { AppError } from '../../../core/errors.ts';
import type { Clock } from '../../../core/jobs/ports.ts';
import type { RouteApp } from '../../runtime/http/route.ts';

export type CreateKeyDeps = {
  keys: KeyTable;
  clock: Clock;
  newId: () => string;
  randomBytes: (size: number) => Uint8Array;
};

/** Lists an owner's keys, oldest first, with previews only. */
export function listKeys(keys: KeyTable): RouteApp<typeof listKeysContract> {
  return async ({ principal: { ownerId } }) => {
    const records = await keys.list(ownerId);
    const oldestFirst = records.sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
    return { status: 200, body: { keys: oldestFirst.map(viewKey) } };
  };
}

/** Creates a key. The response is the only place with its full value; the table stores the hash. */
export function createKey({
  keys,
  clock,
  newId,
  randomBytes,
}: CreateKeyDeps): RouteApp<typeof createKeyContract> {
  return async ({ body: { name }, principal: { ownerId } }) => {
    const key = newApiKey(randomBytes);
    const record = createKeyRecord(key, { ownerId, keyId: newId(), name, now: clock.now() });
    await keys.create(record);
    return { status: 201, body: { ...viewKey(record), key } };
  };
}

/** Revokes a key: the next request with it fails. Throws AppError NOT_FOUND. */
export function deleteKey(keys: KeyTable): RouteApp<typeof deleteKeyContract> {
  return async ({ params, principal: { ownerId } }) => {
    const revoked = await keys.revoke({ ownerId, keyId: params.id });
    if (!revoked) throw new AppError('NOT_FOUND', keyNotFoundMessage);
    return { status: 204 };
  };
}

function viewKey({ keyId, name, preview, createdAt, lastUsedAt }: KeyRecord) {
  return { keyId, name, preview, createdAt, lastUsedAt: lastUsedAt ?? null };
}
