import { expect, it } from 'vitest';
import stages from '../../../docs/examples/stages.json' with { type: 'json' };
import { chunkingOf } from '../../../lib/settings/chunking.ts';
import { readSettings } from '../../../lib/settings/read-settings.ts';

function atOnce(parallel: object, ownerLimits?: object): number {
  const tenancy = ownerLimits === undefined ? 'single' : 'multi';
  return chunkingOf(readSettings({ test: { tenancy, parallel, ownerLimits } }, 'test')).maxParallelChunks;
}

it.each([
  [
    'as many as one job may have',
    { maxParallelChunks: 50, maxConcurrency: 300 },
    { maxRunningChunks: 200 },
    50,
  ],
  [
    'as many as there are functions',
    { maxParallelChunks: 200, maxConcurrency: 60 },
    { maxRunningChunks: 200 },
    60,
  ],
  [
    'as many as one owner may have',
    { maxParallelChunks: 200, maxConcurrency: 300 },
    { maxRunningChunks: 80 },
    80,
  ],
  ['all that there are functions for by default, of a team', {}, undefined, 3],
  ['two by default, of one of several owners', {}, {}, 2],
  ['two at least', {}, { maxRunningChunks: 1 }, 2],
])('of the chunks of a job run %s', (_, parallel, ownerLimits, count) => {
  expect(atOnce(parallel, ownerLimits)).toBe(count);
});

it('in the example production, no other limit is below the chunks that a job may have', () => {
  const settings = readSettings(stages, 'production');
  expect(settings.parallel.maxParallelChunks).toBe(20);
  expect(chunkingOf(settings).maxParallelChunks).toBe(20);
});
