import { expect, it } from 'vitest';
import type { Watch } from '../../../core/watches/watch.ts';
import { listWatches, setPaused } from '../../../functions/settings/watches.ts';
import { memoryWatchTable } from '../../../lab/simulation/memory/watch-table.ts';
import { callRoute } from '../../builders/http/call-route.ts';
import { start } from '../../builders/jobs/jobs.ts';

const watch = (name: string, ownerId: string): Watch => ({
  ...{ name, ownerId, storageProviderId: 'bucket:team', bucket: 'team', prefix: 'raw/', preset: 'web' },
  output: { storageProviderId: 'bucket:team', key: 'out/{jobId}' },
});

it('an owner sees, pauses and resumes its own watches', async () => {
  const watches = memoryWatchTable();
  const deps = { watches, ofStage: [watch('films', 'o1'), watch('clips', 'o2')] };
  const list = async () => (await callRoute(listWatches(deps), { ownerId: 'o1' })).body;
  const films = { name: 'films', state: 'active', lastSweepAt: null, objects: 0, jobs: 0, lagSeconds: 0 };
  expect(await list()).toEqual({ watches: [films] });
  const lastSweepAt = start.toISOString();
  await watches.recordSweep('films', { lastSweepAt, objects: 3, jobs: 2, lagSeconds: 61 });
  const paused = { ...films, state: 'paused', lastSweepAt, objects: 3, jobs: 2, lagSeconds: 61 };
  const request = { ownerId: 'o1', params: { name: 'films' } };
  expect(await callRoute(setPaused(deps, true), request)).toMatchObject({ status: 200, body: paused });
  expect(await list()).toEqual({ watches: [paused] });
  expect(await callRoute(setPaused(deps, false), request)).toMatchObject({ body: { ...paused, state: 'active' } });
  const foreign = callRoute(setPaused(deps, true), { ownerId: 'o1', params: { name: 'clips' } });
  await expect(foreign).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
