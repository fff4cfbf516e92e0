import { describe, expect, it } from 'vitest';
import { playbackRecords } from '../../adapters/dynamodb/playback-records.ts';
import { memoryPlaybackRecords } from '../../lab/simulation/memory/playback-records.ts';
import { aNewOwner, bothStores } from './stores.ts';

const times = [1, 3, 2].map((day) => new Date(`2026-03-0${day}T12:00:00.000Z`));
const end = new Date('2026-03-20T00:00:00.000Z');

describe.each(bothStores(playbackRecords, memoryPlaybackRecords))('playback records %s', (_, open) => {
  it('keep the latest of each time, for each job', async () => {
    const records = await open();
    const ref = { ownerId: aNewOwner(), jobId: 'job-1' };
    expect(await records.get(ref)).toEqual({});
    for (const time of times) await records.raise(ref, 'tokensUntil', time, end);
    expect(await records.get(ref)).toEqual({ tokensUntil: '2026-03-03T12:00:00.000Z' });
    for (const time of times.toReversed()) await records.raise(ref, 'revokedAt', time, end);
    const both = { tokensUntil: '2026-03-03T12:00:00.000Z', revokedAt: '2026-03-03T12:00:00.000Z' };
    expect(await records.get(ref)).toEqual(both);
    expect(await records.get({ ...ref, jobId: 'job-2' })).toEqual({});
  });
});
