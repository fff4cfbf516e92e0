import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { authenticate } from '../../../../adapters/runtime/http/authenticate.ts';
import { createKeyRecord, type KeyRecord, newApiKey } from '../../../../core/access/key-record.ts';
import type { Tenancy } from '../../../../core/access/owner.ts';
import { AppError } from '../../../../core/errors.ts';
import { memoryKeyTable } from '../../../../lab/simulation/memory/key-table.ts';
import { later, start } from '../../../builders/jobs/jobs.ts';

const keyId = '01980000-0000-7000-8000-00000000000a';
const token = 'aaaa.bbbb.cccc';

/** An owner's key in a table that counts its reads. */
async function anAuthenticator(now = () => start, access: Partial<KeyRecord> = {}, tenancy: Tenancy = 'multi') {
  const key = newApiKey(randomBytes);
  const table = memoryKeyTable();
  const record = createKeyRecord(key, { ownerId: 'owner-1', keyId, name: 'test', now: start, ...access });
  await table.create(record);
  let looks = 0;
  const keys = {
    ...table,
    findByHash: (wanted: string) => {
      looks += 1;
      return table.findByHash(wanted);
    },
  };
  const verifySession = async (presented: string) => {
    if (presented !== token) throw new AppError('UNAUTHORIZED', 'The session token is not valid: sign in again.');
    return { ownerId: 'owner-1' };
  };
  return { key, record, table, looks: () => looks, open: authenticate({ keys, verifySession, tenancy, now }) };
}

const rejected = expect.objectContaining({ code: 'UNAUTHORIZED' });
const altered = (key: string) => key.slice(0, 10) + (key[10] === 'a' ? 'b' : 'a') + key.slice(11);

describe('an API key', () => {
  it.each([
    ['as a bearer token', (key: string) => ({ authorization: `Bearer ${key}` })],
    ['whatever the case of the scheme', (key: string) => ({ authorization: `bEARER ${key}` })],
    ['in a header of its own', (key: string) => ({ 'x-api-key': key })],
    ['in both, when they are equal', (key: string) => ({ authorization: `Bearer ${key}`, 'x-api-key': key })],
  ])('is accepted %s', async (_, headers) => {
    const { key, open } = await anAuthenticator();
    await expect(open(headers(key))).resolves.toMatchObject({ principal: { ownerId: 'owner-1', caller: 'key' } });
  });

  it.each([
    ['none', () => ({})],
    ['an empty one', () => ({ authorization: 'Bearer ' })],
    ['another scheme', (key: string) => ({ authorization: `Basic ${key}` })],
    ['another scheme beside it', (key: string) => ({ authorization: `Basic ${key}`, 'x-api-key': key })],
    ['one without a scheme', (key: string) => ({ authorization: key })],
    ['one that is cut', (key: string) => ({ 'x-api-key': key.slice(0, -1) })],
    ['one that is too long', (key: string) => ({ 'x-api-key': `${key}a` })],
    ['one with a space after it', (key: string) => ({ 'x-api-key': `${key} ` })],
    ['one with a space before it', (key: string) => ({ authorization: `Bearer  ${key}` })],
    ['one with a space before it in a header of its own', (key: string) => ({ 'x-api-key': ` ${key}` })],
    ['one with a prefix in capitals', (key: string) => ({ 'x-api-key': key.replace('nte_', 'NTE_') })],
    ['one with a letter altered', (key: string) => ({ 'x-api-key': altered(key) })],
    ['one beyond ASCII', (key: string) => ({ 'x-api-key': `${key.slice(0, -1)}é` })],
    ['one sent twice', (key: string) => ({ 'x-api-key': `${key},${key}` })],
    ['two that differ', (key: string) => ({ authorization: `Bearer ${key}`, 'x-api-key': altered(key) })],
  ])('that is malformed, %s, is rejected without a read', async (_, headers) => {
    const { key, looks, open } = await anAuthenticator();
    await expect(open(headers(key))).rejects.toEqual(rejected);
    expect(looks()).toBe(0);
  });

  it('that is unknown is rejected after one read', async () => {
    const { looks, open } = await anAuthenticator();
    await expect(open({ 'x-api-key': newApiKey(randomBytes) })).rejects.toEqual(rejected);
    expect(looks()).toBe(1);
  });

  it('that was revoked is rejected at once', async () => {
    const { key, record, table, open } = await anAuthenticator();
    await table.revoke(record);
    await expect(open({ 'x-api-key': key })).rejects.toEqual(rejected);
  });

  it('is rejected from its expiry on', async () => {
    let now = start;
    const expiresAt = later(600_000).toISOString();
    const { key, open } = await anAuthenticator(() => now, { expiresAt });
    now = later(599_999);
    await expect(open({ 'x-api-key': key })).resolves.toMatchObject({ principal: { key: { expiresAt } } });
    now = later(600_000);
    await expect(open({ 'x-api-key': key })).rejects.toThrow(`expired at ${expiresAt}`);
  });

  it('that a key created is rejected as soon as that key is revoked, with one read for it', async () => {
    const parent = createKeyRecord(newApiKey(randomBytes), {
      ownerId: 'owner-1',
      keyId: 'parent',
      name: 'parent',
      now: start,
    });
    const { key, table, looks, open } = await anAuthenticator(() => start, { parentHash: parent.hash });
    await table.create(parent);
    await expect(open({ 'x-api-key': key })).resolves.toMatchObject({
      principal: { ownerId: 'owner-1', parent: { keyId: 'parent' } },
    });
    expect(looks()).toBe(2);
    // Unlike a revocation, this leaves the key itself.
    await table.remove([parent]);
    await expect(open({ 'x-api-key': key })).rejects.toEqual(rejected);
  });

  it('of an owner of several is rejected by a stage of one team, whose own keys stay valid with several', async () => {
    const before = await anAuthenticator(() => start, {}, 'single');
    await expect(before.open({ 'x-api-key': before.key })).rejects.toThrow('create another key');
    for (const tenancy of ['single', 'multi'] as const) {
      const { key, open } = await anAuthenticator(() => start, { ownerId: 'stage' }, tenancy);
      await expect(open({ 'x-api-key': key })).resolves.toMatchObject({ principal: { ownerId: 'stage' } });
    }
  });

  it('has its last use recorded once a minute', async () => {
    let now = start;
    const { key, table, open } = await anAuthenticator(() => now);
    const use = async () => (await open({ 'x-api-key': key })).recordUse;
    const lastUsedAt = async () => (await table.list('owner-1'))[0]?.lastUsedAt;

    await (await use())?.();
    expect(await lastUsedAt()).toBe(start.toISOString());
    now = later(59_999);
    expect(await use()).toBeUndefined();
    now = later(60_000);
    await (await use())?.();
    expect(await lastUsedAt()).toBe(now.toISOString());
  });
});

describe('a session token', () => {
  it('is accepted as a bearer token', async () => {
    const { open, looks } = await anAuthenticator();
    const principal = { ownerId: 'owner-1', caller: 'session' };
    await expect(open({ authorization: `Bearer ${token}` })).resolves.toEqual({ principal });
    expect(looks()).toBe(0);
  });

  it.each([
    ['in the header of keys', { 'x-api-key': token }],
    ['in both headers', { authorization: `Bearer ${token}`, 'x-api-key': token }],
    ['when it is not valid', { authorization: 'Bearer aaaa.bbbb.dddd' }],
  ])('is rejected %s', async (_, headers) => {
    const { open } = await anAuthenticator();
    await expect(open(headers)).rejects.toEqual(rejected);
  });

  it('is rejected by a stage without an identity provider', async () => {
    const open = authenticate({ keys: memoryKeyTable(), verifySession: undefined, tenancy: 'multi', now: () => start });
    await expect(open({ authorization: `Bearer ${token}` })).rejects.toEqual(rejected);
  });
});
