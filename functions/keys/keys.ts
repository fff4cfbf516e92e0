import type { RouteApp } from '../../adapters/runtime/http/route.ts';
import type { Principal } from '../../core/access/authentication.ts';
import { delegateAccess } from '../../core/access/delegate-access.ts';
import { type Erasures, erasureHours } from '../../core/access/erasure.ts';
import {
  createKeyRecord,
  isExpired,
  isManagedBy,
  type KeyGrant,
  type KeyRecord,
  type KeyTable,
  managedKeys,
  newApiKey,
} from '../../core/access/key-record.ts';
import { limitExceeded, type OwnerLimits } from '../../core/access/owner-limits.ts';
import {
  type createKeyContract,
  type deleteKeyContract,
  type eraseOwnerContract,
  keyNotFoundMessage,
  type listKeysContract,
} from '../../core/api/keys.ts';
import { retryConflicts } from '../../core/async.ts';
import { AppError, invalidRequest } from '../../core/errors.ts';
import { type ReserveIdDeps, replayed, reserveId } from '../../core/idempotency.ts';
import { addMs } from '../../core/jobs/durations.ts';
import type { Clock } from '../../core/jobs/ports.ts';
import { assertPool, type StageSpeeds } from '../../core/submission/accept-job.ts';

export type CreateKeyDeps = ReserveIdDeps & {
  keys: KeyTable;
  clock: Clock;
  randomBytes: (size: number) => Uint8Array;
  limits: Pick<OwnerLimits, 'maxKeys'>;
  speeds: StageSpeeds;
};

type ManageKeysDeps = Pick<CreateKeyDeps, 'keys' | 'clock'>;

/** Lists the keys that the caller manages, oldest first, with previews only. */
export function listKeys({ keys, clock }: ManageKeysDeps): RouteApp<typeof listKeysContract> {
  return async ({ principal }) => {
    const records = await keys.list(principal.ownerId);
    const managed = managedKeys(records, { now: clock.now(), manager: managerOf(principal) });
    const oldestFirst = managed.sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
    return { status: 200, body: { keys: oldestFirst.map(viewKey) } };
  };
}

/**
 * Creates a key. The response is the only place with its full value; the table stores the hash. So a replay cannot repeat the
 * response: it replaces the key, whose value may be lost, by one of the same id.
 */
export function createKey(deps: CreateKeyDeps): RouteApp<typeof createKeyContract> {
  const { keys, clock, randomBytes } = deps;
  return async ({ body: { name, expiresAt, ...requested }, rawBody, headers, principal }) => {
    const { ownerId } = principal;
    const parent = managerOf(principal);
    assertPool(requested.defaultSpeed, deps.speeds, 'defaultSpeed');
    const access = delegateAccess(
      { ...requested, expiresAt: expiresAt && new Date(expiresAt).toISOString() },
      { parent, now: clock.now() },
    );
    const keyed = {
      ownerId,
      idempotencyKey: headers['idempotency-key'],
      // The key that a session made is not replaced by a key, which may have less access.
      request: { createKey: rawBody, by: parent?.keyId ?? 'session' },
    };
    const reserved = await reserveId(deps, keyed, async ({ id: keyId, isReplay }) => {
      if (isReplay && (await keys.find({ ownerId, keyId })) !== undefined) return;
      await assertRoom(deps, ownerId, clock.now());
    });
    const named = { ownerId, keyId: reserved.id, name, parentId: parent?.keyId, now: reserved.createdAt };
    const answer = (record: KeyRecord, key: string) => {
      return { status: 201, ...replayed(reserved), body: { ...viewKey(record), key } } as const;
    };
    if (reserved.reservation === undefined) {
      const key = newApiKey(randomBytes);
      const record = createKeyRecord(key, { ...named, ...access });
      await keys.create(record);
      return answer(record, key);
    }
    return retryConflicts(async () => {
      const key = newApiKey(randomBytes);
      const before = await keys.find(named);
      const record = createKeyRecord(key, { ...named, ...access, ...before });
      return (await keys.replace(record, before)) && answer(record, key);
    });
  };
}

/**
 * DynamoDB removes expired keys an hour or more after their end. Until then they are in the list, which every call reads.
 * Short-lived keys may fill it sooner, so at this multiple of the limit of valid keys their creator removes them.
 */
const storedPerValidKey = 2;
/** Some twenty batches of deletions. */
const maxRemovedPerCall = 250;

async function assertRoom({ keys, limits }: CreateKeyDeps, ownerId: string, now: Date): Promise<void> {
  const value = limits.maxKeys;
  const records = await keys.list(ownerId);
  const valid = new Set(managedKeys(records, { now, manager: undefined }));
  if (valid.size >= value) {
    throw limitExceeded(
      { limit: 'maxKeys', value, use: valid.size },
      `There are ${valid.size} valid keys, which is the limit. Revoke some, or give keys an expiry.`,
    );
  }
  const maxStored = storedPerValidKey * value;
  if (records.length < maxStored) return;
  const removed = records.filter((record) => !valid.has(record)).slice(0, maxRemovedPerCall);
  await keys.remove(removed);
  const stored = records.length - removed.length;
  if (stored < maxStored) return;
  throw limitExceeded(
    { limit: 'maxKeys', value: maxStored, use: stored, retryAfterSeconds: 1 },
    `There are ${stored} keys, expired ones included. Each call removes some of the expired ones: try again.`,
  );
}

/** Revokes a key and those that it created: the next request with any of them fails. Throws AppError NOT_FOUND. */
export function deleteKey({ keys, clock }: ManageKeysDeps): RouteApp<typeof deleteKeyContract> {
  return async ({ params, principal }) => {
    const record = await keys.find({ ownerId: principal.ownerId, keyId: params.id });
    if (record === undefined || isExpired(record, clock.now()) || !isManagedBy(record, managerOf(principal))) {
      throw new AppError('NOT_FOUND', keyNotFoundMessage);
    }
    await keys.revoke(record);
    return { status: 204 };
  };
}

/** Undefined for a session. */
function managerOf(principal: Principal): KeyGrant | undefined {
  return principal.caller === 'key' ? principal.key : undefined;
}

function viewKey({ keyId, name, preview, createdAt, ...record }: KeyRecord) {
  const { lastUsedAt = null, scopes, expiresAt = null, limits, defaultSpeed = null, parentId = null } = record;
  return { keyId, name, preview, createdAt, lastUsedAt, scopes, expiresAt, limits, defaultSpeed, parentId };
}

export type EraseOwnerDeps = {
  erasures: Pick<Erasures, 'request'>;
  keys: Pick<KeyTable, 'list' | 'remove'>;
  clock: Pick<Clock, 'now'>;
};

/** Stores the request, from which sessions can change nothing, then revokes the keys. Reconcile does the rest. */
export function eraseOwner({ erasures, keys, clock }: EraseOwnerDeps): RouteApp<typeof eraseOwnerContract> {
  return async ({ body: { confirm }, principal: { ownerId } }) => {
    if (confirm !== ownerId) throw invalidRequest([{ path: 'confirm', message: `Must be the id ${ownerId}` }]);
    const erasure = await erasures.request({ ownerId, requestedAt: clock.now().toISOString() });
    await keys.remove(await keys.list(ownerId));
    const endsBy = addMs(new Date(erasure.requestedAt), erasureHours * 3_600_000);
    return { status: 202, body: { ...erasure, endsBy } };
  };
}
