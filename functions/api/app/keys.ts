import { newApiKey } from '../../../core/access/api-key.ts';
import type { Principal } from '../../../core/access/authentication.ts';
import { delegateAccess } from '../../../core/access/delegate-access.ts';
import { descendantsOf, managedKeys } from '../../../core/access/key-family.ts';
import { createKeyRecord, type KeyRecord, type KeyTable } from '../../../core/access/key-record.ts';
import { limitExceeded, type OwnerLimits } from '../../../core/access/owner-limits.ts';
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
  limits: Pick<OwnerLimits, 'maxKeys'>;
};

type ManageKeysDeps = Pick<CreateKeyDeps, 'keys' | 'clock'>;

/** Lists the keys that the caller manages, oldest first, with previews only. */
export function listKeys(deps: ManageKeysDeps): RouteApp<typeof listKeysContract> {
  return async ({ principal }) => {
    const { managed } = await readKeys(deps, principal);
    const oldestFirst = managed.sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
    return { status: 200, body: { keys: oldestFirst.map(viewKey) } };
  };
}

/** Creates a key. The response is the only place with its full value; the table stores the hash. */
export function createKey(deps: CreateKeyDeps): RouteApp<typeof createKeyContract> {
  const { keys, clock, newId, randomBytes } = deps;
  return async ({ body: { name, expiresAt, ...requested }, principal }) => {
    const key = newApiKey(randomBytes);
    const now = clock.now();
    const parent = principal.caller === 'key' ? principal.key : undefined;
    const access = delegateAccess(
      { ...requested, expiresAt: expiresAt && new Date(expiresAt).toISOString() },
      { parent, now },
    );
    await assertRoom(deps, principal.ownerId, now);
    const named = { ownerId: principal.ownerId, keyId: newId(), name, parentId: parent?.keyId };
    const record = createKeyRecord(key, { ...named, ...access, now });
    await keys.create(record);
    return { status: 201, body: { ...viewKey(record), key } };
  };
}

async function assertRoom({ keys, limits }: CreateKeyDeps, ownerId: string, now: Date): Promise<void> {
  const value = limits.maxKeys;
  const { length: use } = managedKeys(await keys.list(ownerId), { now, manager: undefined });
  if (use < value) return;
  throw limitExceeded(
    { limit: 'maxKeys', value, use },
    `There are ${use} valid keys, which is the limit. Revoke some, or give keys an expiry.`,
  );
}

/** Revokes a key and its descendants: the next request with any of them fails. Throws AppError NOT_FOUND. */
export function deleteKey(deps: ManageKeysDeps): RouteApp<typeof deleteKeyContract> {
  return async ({ params, principal }) => {
    const { records, managed } = await readKeys(deps, principal);
    const record = managed.find(({ keyId }) => keyId === params.id);
    if (record === undefined) throw new AppError('NOT_FOUND', keyNotFoundMessage);
    await deps.keys.revoke(record, descendantsOf(record.hash, records));
    return { status: 204 };
  };
}

/** The owner's stored keys, and those of them that the caller manages. */
async function readKeys({ keys, clock }: ManageKeysDeps, principal: Principal) {
  const records = await keys.list(principal.ownerId);
  const manager = principal.caller === 'key' ? principal.key : undefined;
  return { records, managed: managedKeys(records, { now: clock.now(), manager }) };
}

function viewKey({ keyId, name, preview, createdAt, ...record }: KeyRecord) {
  const { lastUsedAt = null, scopes, expiresAt = null, limits, parentId = null } = record;
  return { keyId, name, preview, createdAt, lastUsedAt, scopes, expiresAt, limits, parentId };
}
