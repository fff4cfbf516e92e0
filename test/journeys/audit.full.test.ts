// @module-tag requests
import { beforeAll, expect, it } from 'vitest';
import { newJobId } from '../../adapters/system/clock.ts';
import { version } from '../../core/version.ts';
import { aCompletedJob } from '../builders/jobs/ended-jobs.ts';
import { aStageWithTenants, type StageWithTenants } from '../builders/stage/tenants.ts';

let world: StageWithTenants;
beforeAll(async () => {
  world = await aStageWithTenants();
});

type Page = { entries: { at: string; actor: string; action: string; target: string }[]; nextCursor: string | null };

it('keys, deletions and settings have entries, newest first, which only sessions of the owner read', async () => {
  const { ownerId, token, key } = world.alice;
  const [session, byKey] = [world.sendAs(token), world.sendAs(key)];
  const job = aCompletedJob({ ownerId, jobId: newJobId(new Date()), createdAt: new Date().toISOString() });
  await world.store(job);
  const { keyId } = (await session('/api/v1/keys', { method: 'POST', body: { name: 'new' } })).body as {
    keyId: string;
  };
  const ownKeyId = ((await byKey('/api/v1/keys')).body as { keys: { keyId: string }[] }).keys[0]?.keyId;
  await byKey('/api/v1/settings', { method: 'PUT', body: { defaultWebhookUrl: null } });
  await byKey('/api/v1/settings', { method: 'PUT', body: { unknown: true } });
  await session(`/api/v1/keys/${keyId}`, { method: 'DELETE' });
  await byKey(`/api/v1/jobs/${job.jobId}`, { method: 'DELETE' });
  const read = async (query = '') => (await session(`/api/v1/audit${query}`)).body as Page;
  const { entries, nextCursor } = await read();
  expect(entries.map(({ actor, action, target }) => [actor, action, target])).toEqual([
    [`key:${ownKeyId}`, 'deleteJob', `jobs/${job.jobId}`],
    ['session:alice', 'deleteKey', `keys/${keyId}`],
    [`key:${ownKeyId}`, 'updateSettings', 'settings'],
    ['session:alice', 'createKey', `keys/${keyId}`],
  ]);
  expect(nextCursor).toBeNull();
  expect(entries.map(({ at }) => at)).toEqual(
    entries
      .map(({ at }) => at)
      .toSorted()
      .toReversed(),
  );
  const first = await read('?limit=3');
  expect([first.entries, (await read(`?cursor=${first.nextCursor}`)).entries]).toEqual([
    entries.slice(0, 3),
    entries.slice(3),
  ]);
  expect(await byKey('/api/v1/audit')).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } });
  expect((await world.sendAs(world.bob.token)('/api/v1/audit')).body).toEqual({ entries: [], nextCursor: null });
  const foreign = await world.sendAs(world.bob.token)(`/api/v1/audit?cursor=${first.nextCursor}`);
  expect(foreign).toMatchObject({ status: 400, body: { error: { code: 'INVALID_CURSOR' } } });
});

it('an erased owner has nothing but its audit log, and can begin anew', async () => {
  const { ownerId, token, key } = await world.aTenant('dave');
  const [session, byKey] = [world.sendAs(token), world.sendAs(key)];
  const announced = { filename: 'a.mp4', contentType: 'video/mp4', sizeBytes: 3 };
  const { uploadUrl } = (await byKey('/api/v1/uploads', { method: 'POST', body: announced })).body as {
    uploadUrl: string;
  };
  expect((await fetch(uploadUrl, { method: 'PUT', body: 'abc' })).status).toBe(200);
  const request = { mode: 'recipe', output: { format: 'mp4' }, recipe: { name: 'compress' } };
  await byKey('/api/v1/presets', { method: 'POST', body: { name: 'web', request } });
  await byKey('/api/v1/settings', { method: 'PUT', body: { defaultWebhookUrl: 'https://example.com/hook' } });
  const erase = (confirm: string) => session('/api/v1/owner', { method: 'DELETE', body: { confirm } });
  expect(await erase('everything')).toMatchObject({ status: 400, body: { error: { details: [{ path: 'confirm' }] } } });
  expect(await erase(ownerId)).toMatchObject({ status: 202, body: { ownerId } });
  expect((await byKey('/api/v1/presets')).status).toBe(401);
  const begin = () => session('/api/v1/keys', { method: 'POST', body: { name: 'new' } });
  expect(await begin()).toMatchObject({ status: 409, body: { error: { code: 'OWNER_BEING_ERASED' } } });
  expect(await world.stage.invoke('media-jobs-local-reconcile', {})).toMatchObject({ ok: true });
  expect((await fetch(uploadUrl.split('?')[0] ?? '')).ok).toBe(false);
  expect((await session('/api/v1/settings')).body).toMatchObject({ defaultWebhookUrl: null });
  expect((await session('/api/v1/presets')).body).toEqual({ presets: [] });
  expect((await session('/api/v1/audit?limit=1')).body).toMatchObject({ entries: [{ action: 'eraseOwner' }] });
  expect((await begin()).status).toBe(201);
});

it('health is answered without a credential and without any call', async () => {
  world.stage.resetCalls();
  expect(await world.send('/health')).toMatchObject({ status: 200, body: { ok: true, version } });
  // Workers and reconcile query on their own.
  const { Query: _, ...others } = world.stage.calls().dynamodb;
  expect(others).toEqual({});
});
