import { aVirtualClock } from '@media-jobs/testing/virtual-clock';
import { expect, it } from 'vitest';
import { createPresetContract } from '../../../core/api/presets.ts';
import type { Preset } from '../../../core/presets/preset.ts';
import { createPreset, getPreset, listPresets, updatePreset } from '../../../functions/submission/presets.ts';
import { memoryPresetTable } from '../../../lab/simulation/memory/preset-table.ts';
import { memoryReservations } from '../../../lab/simulation/memory/reservations.ts';
import { callRoute } from '../../builders/http/call-route.ts';
import { start } from '../../builders/jobs/jobs.ts';

const request = { mode: 'recipe', output: { format: 'mp4' }, recipe: { name: 'compress' } } as const;
const ofStage: Preset = {
  ...{ name: 'house', version: 1, draft: false, retired: false, title: 'House', description: '', allow: [] },
  ...{ request, source: 'stage', createdAt: start.toISOString() },
};

function routes() {
  let ids = 0;
  const newId = () => `id-${++ids}`;
  const deps = { presets: memoryPresetTable(), ofStage: [ofStage], newId, clock: aVirtualClock(start) };
  const app = createPreset({ ...deps, reservations: memoryReservations() });
  const post = (body: object, key?: string) =>
    callRoute(app, {
      body: createPresetContract.body.parse({ request, ...body }),
      rawBody: body,
      headers: { 'idempotency-key': key },
    });
  const list = async (all: 'true' | 'false') =>
    (await callRoute(listPresets(deps), { query: { all } })).body.presets.map(
      ({ name, version }) => `${name}@${version}`,
    );
  const get = async (name: string) => (await callRoute(getPreset(deps), { params: { name } })).body;
  const patch = (name: string, version: number, body: object) =>
    callRoute(updatePreset(deps), { params: { name, version: String(version) }, body });
  return { post, list, get, patch };
}

it('versions of a preset count up, and a list has the newest of each by name', async () => {
  const { post, list } = routes();
  expect(await post({ name: 'web' })).toMatchObject({
    status: 201,
    headers: { location: '/api/v1/presets/web@1' },
    body: { ...{ name: 'web', version: 1, draft: false, retired: false, title: 'web' }, source: 'owner', allow: [] },
  });
  await post({ name: 'web' });
  await post({ name: 'web', version: 7, draft: true });
  await post({ name: 'course' });
  expect((await post({ name: 'web' })).body.version).toBe(8);
  expect(await list('false')).toEqual(['course@1', 'house@1', 'web@8']);
  expect(await list('true')).toEqual(['course@1', 'house@1', 'web@8', 'web@7', 'web@2', 'web@1']);
});

it('a plain name reads the version that jobs get, else the newest', async () => {
  const { post, get, patch } = routes();
  await post({ name: 'web', draft: true });
  expect(await get('web')).toMatchObject({ version: 1, draft: true });
  expect((await patch('web', 1, { draft: false })).body).toMatchObject({ version: 1, draft: false });
  await post({ name: 'web', draft: true });
  expect(await get('web')).toMatchObject({ version: 1 });
  expect(await get('web@2')).toMatchObject({ version: 2 });
  await patch('web', 1, { retired: true });
  expect(await get('web')).toMatchObject({ version: 2 });
  await expect(get('web@3')).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

it('a version is immutable, and a name of the stage taken', async () => {
  const { post, patch } = routes();
  await post({ name: 'web', version: 1 });
  await expect(post({ name: 'web', version: 1 })).rejects.toMatchObject({ code: 'PRESET_EXISTS' });
  await expect(post({ name: 'house' })).rejects.toMatchObject({ code: 'PRESET_EXISTS' });
  await expect(patch('house', 1, { retired: true })).rejects.toMatchObject({ code: 'PRESET_OF_STAGE' });
  await expect(patch('web', 2, { retired: true })).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

it('the same Idempotency-Key stores one version', async () => {
  const { post, list } = routes();
  await post({ name: 'web' }, 'key');
  expect(await post({ name: 'web' }, 'key')).toMatchObject({
    headers: { 'idempotent-replayed': 'true' },
    body: { version: 1 },
  });
  expect(await list('false')).toEqual(['house@1', 'web@1']);
  await expect(post({ name: 'other' }, 'key')).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
});

it('requests at the same moment get versions of their own', async () => {
  const { post } = routes();
  const stored = await Promise.all(Array.from({ length: 5 }, () => post({ name: 'web' })));
  expect(stored.map(({ body }) => body.version).sort()).toEqual([1, 2, 3, 4, 5]);
});
