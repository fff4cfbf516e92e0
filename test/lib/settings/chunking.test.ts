import { expect, it } from 'vitest';
import { chunkingOf } from '../../../lib/settings/owner-limits.ts';
import { readSettings } from '../../../lib/settings/read-settings.ts';

it.each([
  ['as many as there are functions, of a team', {}, 3],
  ['as many as there are functions, of a larger stage', { capacity: 100 }, 47],
  ['as many as one record can follow', { capacity: 1_000 }, 200],
  ['two by default, of one of several owners', { tenancy: 'multi' }, 2],
  ['as many as one owner may have', { tenancy: 'multi', capacity: 1_000, ownerLimits: { maxRunningChunks: 80 } }, 80],
  ['two at least', { tenancy: 'multi', ownerLimits: { maxRunningChunks: 1 } }, 2],
])('of the chunks of a job run %s', (_, settings, count) => {
  expect(chunkingOf(readSettings({ test: settings }, 'test')).maxParallelChunks).toBe(count);
});
