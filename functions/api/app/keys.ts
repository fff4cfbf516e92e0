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

/** An owner's keys, oldest first, by their ends alone. */
export function listKeys(keys: KeyTable): RouteApp<typeof listKeysContract> {
  return async ({ principal: { ownerId } }) => {
    const records = await keys.list(ownerId);
    const oldestFirst = records.sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
    return { status: 200, body: { keys: oldestFirst.map(viewKey) } };
  };
}

/** Makes a key and shows it; from then on only its hash is known. */
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

/** Revokes a key: the very next request with it fails. AppError NOT_FOUND where the owner has no such key. */
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
