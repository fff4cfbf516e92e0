import { randomBytes } from 'node:crypto';
import { aVirtualClock } from '@media-jobs/testing/virtual-clock';
import { describe, expect, it } from 'vitest';
import type { Principal } from '../../../core/access/authentication.ts';
import type { RequestedAccess } from '../../../core/access/delegate-access.ts';
import { hashApiKey, isWellFormedApiKey } from '../../../core/access/key-record.ts';
import { allScopes, defaultScopes } from '../../../core/access/scopes.ts';
import { createKeyContract } from '../../../core/api/keys.ts';
import { createKey, deleteKey, listKeys } from '../../../functions/keys/keys.ts';
import { memoryKeyTable } from '../../../lab/simulation/memory/key-table.ts';
import { memoryReservations } from '../../../lab/simulation/memory/reservations.ts';
import { callRoute } from '../../builders/http/call-route.ts';
import { aJobId, later, start } from '../../builders/jobs/jobs.ts';
import { stageSpeeds } from '../../builders/jobs/stage-speeds.ts';

const session = (ownerId = 'owner-1'): Principal => ({ ownerId, caller: 'session' });
const at = (ms: number) => later(ms).toISOString();

function keyRoutes(maxKeys = 1_000, speeds = stageSpeeds) {
  const keys = memoryKeyTable();
  const clock = aVirtualClock(start);
  const deps = { keys, clock, reservations: memoryReservations() };
  let ids = 0;
  const make = createKey({ ...deps, newId: () => aJobId(++ids), randomBytes, limits: { maxKeys }, speeds });
  const find = (key: string) => keys.findByHash(hashApiKey(key));
  return {
    keys,
    clock,
    find,
    create: async (access: RequestedAccess = {}, principal = session()) =>
      (await callRoute(make, { principal, body: { name: 'server', ...access } })).body,
    replay: (idempotencyKey: string, rawBody: object = {}, principal = session()) =>
      callRoute(make, {
        ...{ principal, rawBody, headers: { 'idempotency-key': idempotencyKey } },
        body: { name: 'server', ...rawBody },
      }),
    list: async (principal = session()) => (await callRoute(listKeys(deps), { principal })).body.keys,
    remove: (id: string, principal = session()) => callRoute(deleteKey(deps), { principal, params: { id } }),
    /** The principal of a request with this key. */
    holderOf: async (value: string): Promise<Principal> => {
      const key = await find(value);
      if (key === undefined) throw new Error('The key was revoked');
      return { ownerId: key.ownerId, caller: 'key', key };
    },
  };
}

describe('API keys', () => {
  it('are shown in full once, then as a preview', async () => {
    const { create, list, find } = keyRoutes();
    const { key, ...shown } = await create();
    expect(isWellFormedApiKey(key)).toBe(true);
    expect(await find(key)).toMatchObject({ ownerId: 'owner-1' });
    expect(shown).toMatchObject({
      name: 'server',
      preview: `${key.slice(0, 8)}…${key.slice(-4)}`,
      lastUsedAt: null,
      scopes: defaultScopes,
      expiresAt: null,
      limits: {},
      parentId: null,
    });
    expect(await list()).toEqual([shown]);
  });

  it('are limited in number: revoked and expired ones and those of others do not count, those of keys do', async () => {
    const { create, remove, holderOf, clock } = keyRoutes(2);
    const { key, keyId } = await create({ scopes: ['jobs:read', 'keys'] });
    await create({ expiresAt: at(1_000) }, await holderOf(key));
    await create({}, session('owner-2'));
    const exceeded = { code: 'LIMIT_EXCEEDED', details: [{ limit: 'maxKeys', value: 2, use: 2 }] };
    await expect(create()).rejects.toMatchObject(exceeded);
    await expect(create({}, await holderOf(key))).rejects.toMatchObject(exceeded);
    clock.pass(1_000);
    const other = await create();
    await expect(create()).rejects.toMatchObject(exceeded);
    await remove(keyId);
    await remove(other.keyId);
    expect(await create()).toMatchObject({ name: 'server' });
  });

  it('are limited in number with those that have expired: these are removed', async () => {
    const { create, keys, clock } = keyRoutes(2);
    const kept = await create();
    for (let n = 1; n <= 5; n++) {
      clock.pass(1_000);
      await create({ expiresAt: at(n * 1_000 + 1) });
    }
    const stored = await keys.list('owner-1');
    expect(stored.map(({ keyId }) => keyId)).toEqual([kept.keyId, aJobId(5), aJobId(6)]);
  });

  it('are rejected until some of the expired ones are removed', async () => {
    const { create, keys, clock } = keyRoutes(2);
    await create({ expiresAt: at(1_000) });
    clock.pass(1_000);
    const [expired] = await keys.list('owner-1');
    if (expired === undefined) throw new Error('An expired key is stored');
    for (let n = 2; n <= 255; n++) await keys.create({ ...expired, keyId: aJobId(n), hash: `hash ${n}` });
    await expect(create()).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      retryAfterSeconds: 1,
      details: [{ limit: 'maxKeys', value: 4, use: 5 }],
    });
    await create();
    expect(await keys.list('owner-1')).toHaveLength(1);
  });

  it('are revoked without reading the others, however many there are', async () => {
    const { create, keys, find, clock } = keyRoutes();
    const { key, keyId } = await create();
    const list = () => Promise.reject(new Error('Timed out'));
    const params = { id: keyId };
    await callRoute(deleteKey({ keys: { ...keys, list }, clock }), { principal: session(), params });
    expect(await find(key)).toBeUndefined();
  });

  it('are listed and revoked per owner', async () => {
    const { create, list, remove, find } = keyRoutes();
    const { key, keyId } = await create();
    expect(await list(session('owner-2'))).toEqual([]);
    await expect(remove(keyId, session('owner-2'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await remove(keyId)).toEqual({ status: 204 });
    expect(await find(key)).toBeUndefined();
    await expect(remove(keyId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('are not listed once they have expired', async () => {
    const { create, list, clock } = keyRoutes();
    const { keyId, expiresAt } = await create({ expiresAt: '2026-03-01T13:10:00+01:00' });
    expect(expiresAt).toBe('2026-03-01T12:10:00.000Z');
    expect(await list()).toMatchObject([{ keyId }]);
    await clock.sleep(Date.parse(expiresAt ?? '') - clock.now().getTime());
    expect(await list()).toEqual([]);
  });

  it('cannot expire after the year 9999 in UTC, for which a response has no timestamp', () => {
    const parse = (expiresAt: string) => createKeyContract.body.safeParse({ name: 'server', expiresAt });
    expect(parse('9999-12-31T23:59:59.999Z').success).toBe(true);
    expect(parse('9999-12-31T23:59:59-00:01').error?.issues).toMatchObject([
      { path: ['expiresAt'], message: 'Must not be after the year 9999 in UTC' },
    ]);
    expect(parse('tomorrow').error?.issues).toHaveLength(1);
  });

  it('cannot have expired already', async () => {
    await expect(keyRoutes().create({ expiresAt: at(0) })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ path: 'expiresAt', message: 'Must be in the future' }],
    });
  });
});

describe('a key that a key creates', () => {
  const parentAccess: RequestedAccess = {
    scopes: ['jobs:read', 'uploads', 'keys'],
    expiresAt: at(3_600_000),
    limits: { maxUnfinishedJobs: 10 },
  };

  it('has what its parent has of the default access, or less', async () => {
    const { create, holderOf } = keyRoutes();
    const parent = await create(parentAccess);
    const holder = await holderOf(parent.key);
    expect(await create({}, holder)).toMatchObject({
      scopes: ['jobs:read', 'uploads'],
      expiresAt: parent.expiresAt,
      limits: parent.limits,
      parentId: parent.keyId,
    });
    const less = { scopes: ['uploads' as const], expiresAt: at(60_000), limits: { maxUnfinishedJobs: 0 } };
    expect(await create(less, holder)).toMatchObject(less);
  });

  it.each<[string, RequestedAccess, string]>([
    ['a scope that its parent lacks', { scopes: ['uploads', 'settings'] }, 'scopes'],
    ['a later end', { expiresAt: at(3_600_001) }, 'expiresAt'],
    ['a higher limit', { limits: { maxUnfinishedJobs: 11 } }, 'limits.maxUnfinishedJobs'],
  ])('cannot have %s', async (_, access, path) => {
    const { create, holderOf, list } = keyRoutes();
    const holder = await holderOf((await create(parentAccess)).key);
    await expect(create(access, holder)).rejects.toMatchObject({
      code: 'FORBIDDEN',
      details: [expect.objectContaining({ path })],
    });
    expect(await list()).toHaveLength(1);
  });

  it('creates none, whatever its scopes', async () => {
    const { create, holderOf, list } = keyRoutes();
    const parent = await create({ scopes: allScopes });
    const child = await create({ scopes: allScopes }, await holderOf(parent.key));
    await expect(create({ scopes: ['jobs:read'] }, await holderOf(child.key))).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: expect.stringContaining('created cannot create keys'),
    });
    expect(await list()).toHaveLength(2);
  });

  it('is revoked with its parent', async () => {
    const { create, holderOf, remove, find, list } = keyRoutes();
    const parent = await create({ scopes: allScopes });
    const child = await create({}, await holderOf(parent.key));
    const other = await create();
    await remove(parent.keyId);
    for (const { key } of [parent, child]) expect(await find(key)).toBeUndefined();
    expect(await list()).toMatchObject([{ keyId: other.keyId }]);
  });

  it('is managed by its parent, which manages no other keys', async () => {
    const { create, holderOf, remove, list } = keyRoutes();
    const [parent, stranger] = [await create({ scopes: allScopes }), await create({ scopes: allScopes })];
    const holder = await holderOf(parent.key);
    const child = await create({ scopes: ['keys'] }, holder);
    expect((await list(holder)).map(({ keyId }) => keyId).sort()).toEqual([parent.keyId, child.keyId].sort());
    const childHolder = await holderOf(child.key);
    for (const { keyId } of [parent, stranger]) {
      await expect(remove(keyId, childHolder)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
    await remove(child.keyId, holder);
    await expect(remove(stranger.keyId, holder)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is not listed if it was created while its parent was being revoked', async () => {
    const { create, holderOf, remove, list } = keyRoutes();
    const parent = await create({ scopes: allScopes });
    const holder = await holderOf(parent.key);
    await remove(parent.keyId);
    await create({}, holder);
    expect(await list()).toEqual([]);
  });
});

describe('a replayed creation', () => {
  it('answers the same id with a new key, revokes the lost one and its children, and counts for no limit', async () => {
    const { replay, create, list, find, holderOf, clock } = keyRoutes(2);
    const access = { scopes: ['keys', 'jobs:read'] as const };
    const { body: lost, headers } = await replay('once', access);
    const child = await create({}, await holderOf(lost.key));
    clock.pass(5_000);
    const again = await replay('once', access);
    expect([headers, again.headers]).toEqual([undefined, { 'idempotent-replayed': 'true' }]);
    const { key, preview, ...same } = again.body;
    expect(lost).toMatchObject(same);
    expect(isWellFormedApiKey(key)).toBe(true);
    expect(await find(key)).toMatchObject({ scopes: access.scopes });
    for (const revoked of [lost.key, child.key]) expect(await find(revoked)).toBeUndefined();
    expect(await list()).toEqual([{ ...same, preview }]);
  });

  it('leaves one valid key of several at once, which is the listed one', async () => {
    const { replay, find, list } = keyRoutes();
    const answers = await Promise.all(Array.from({ length: 5 }, () => replay('once')));
    expect(new Set(answers.map(({ body }) => body.keyId)).size).toBe(1);
    const found = await Promise.all(answers.map(({ body }) => find(body.key)));
    expect(found.filter((key) => key !== undefined)).toHaveLength(1);
    expect(await list()).toHaveLength(1);
  });

  it('is rejected with another body, and by another creator', async () => {
    const { replay, create, holderOf } = keyRoutes();
    const { key } = await create({ scopes: ['keys', ...defaultScopes] });
    await replay('once');
    const reused = { code: 'IDEMPOTENCY_KEY_REUSED' };
    await expect(replay('once', { scopes: ['jobs:read'] })).rejects.toMatchObject(reused);
    await expect(replay('once', {}, await holderOf(key))).rejects.toMatchObject(reused);
  });
});
