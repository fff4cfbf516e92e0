import { describe, expect, it } from 'vitest';
import {
  deleteJob,
  markTombstoneSwept,
  postponeForProvider,
  storedFilesOf,
} from '../../../core/jobs/removal-transitions.ts';
import { aCancelledJob, aCompletedJob, aFailedJob } from '../../builders/jobs/ended-jobs.ts';

const minute = 60_000;
const endedAt = Date.parse(aFailedJob().completedAt);
const sinceEnd = (milliseconds: number) => new Date(endedAt + milliseconds);
const at = (milliseconds: number) => sinceEnd(milliseconds).toISOString();

describe('a deleted job', () => {
  it('keeps only its key and its times', () => {
    const { job } = deleteJob(aFailedJob(), sinceEnd(minute));
    expect(Object.keys(JSON.parse(JSON.stringify(job))).sort()).toEqual(
      ['deletedAt', 'dueAt', 'expiresAt', 'jobId', 'ownerId', 'state', 'sweepAt'].sort(),
    );
  });

  it('keeps the usage to subtract until it is swept, if it was counted', () => {
    const usage = { state: 'completed', mediaMs: 10_000, computeMs: 0, outputBytes: 1_250_000 };
    const { job } = deleteJob(aCompletedJob({ usageCounted: false }), sinceEnd(minute));
    expect(job).toMatchObject({ usage, usageCounted: false });
    expect(markTombstoneSwept(job, sinceEnd(2 * minute)).job).not.toHaveProperty('usage');
    expect(deleteJob(aCompletedJob(), sinceEnd(minute)).job).not.toHaveProperty('usage');
  });

  it('names its files at a storage provider, playlists first, if they are to be removed', () => {
    const { output } = aCompletedJob().files;
    if (output === undefined) throw new Error('Expected a file named output');
    const files = Object.fromEntries(
      ['segment.mp4', 'media_0.m3u8', 'hls.m3u8'].map((name) => [
        name,
        { ...output, key: `jobs/x/1/${name}`, storage: { storageProviderId: 'sp_1', key: `v/${name}` } },
      ]),
    );
    const job = aCompletedJob({ files, destination: { storageProviderId: 'sp_1', keyTemplate: '{name}' } });
    const publication = `work/${job.jobId}/publications/p1.json`;
    const storedFiles = { mark: `${job.jobId}/p1`, keys: ['v/hls.m3u8', 'v/media_0.m3u8', 'v/segment.mp4'] };
    expect(storedFilesOf({ ...job, publication })).toEqual(storedFiles);
    expect(deleteJob(job, sinceEnd(minute), storedFiles).job).toMatchObject({ storedFiles });
    expect(storedFilesOf(job)).toBeUndefined();
  });

  it('is due at once, and expires eight days after its last sweep, or after 30 days without one', () => {
    const day = 24 * 60 * minute;
    const { job } = deleteJob(aCancelledJob(), sinceEnd(minute));
    expect(job.dueAt).toBe(at(minute));
    const secondsAt = (milliseconds: number) => Math.ceil(sinceEnd(milliseconds).getTime() / 1000);
    expect(job.expiresAt).toBe(secondsAt(minute + 30 * day));
    const once = markTombstoneSwept(job, sinceEnd(2 * minute)).job;
    expect(once.expiresAt).toBe(job.expiresAt);
    const swept = markTombstoneSwept(once, sinceEnd(5 * day)).job;
    expect(swept.expiresAt).toBe(secondsAt(13 * day));
  });

  it('is swept again once no worker and no delivery can be running, and then never', () => {
    const { job } = deleteJob(aFailedJob({ claimedAt: at(0) }), sinceEnd(minute));
    const once = markTombstoneSwept(job, sinceEnd(2 * minute)).job;
    expect(once.dueAt).toBe(job.sweepAt);
    expect(markTombstoneSwept(once, new Date(job.sweepAt)).job).not.toHaveProperty('dueAt');
  });

  it('is swept again after a delivery that may have begun just before, however long ago it was claimed', () => {
    const { job } = deleteJob(aFailedJob({ claimedAt: at(-60 * minute) }), sinceEnd(minute));
    expect(Date.parse(job.sweepAt)).toBeGreaterThanOrEqual(sinceEnd(2 * minute).getTime());
  });
});

describe('a sweep whose storage provider does not respond', () => {
  const waitOf = (job: Parameters<typeof postponeForProvider>[0], now: Date) =>
    Date.parse(postponeForProvider(job, now).job.dueAt ?? '') - now.getTime();

  it('waits for a minute at first, then twice as long each time, and an hour at most', () => {
    const { job } = deleteJob(aFailedJob(), sinceEnd(0));
    expect([0, 1, 2, 4, 8, 60, 61, 3_000].map((n) => waitOf(job, sinceEnd(n * minute)) / minute)).toEqual([
      1, 1, 2, 4, 8, 60, 60, 60,
    ]);
    expect(waitOf(aFailedJob(), sinceEnd(32 * minute)) / minute).toBe(32);
  });

  it('has subtracted the usage of a deleted job', () => {
    const { job } = deleteJob(aCompletedJob({ usageCounted: false }), sinceEnd(minute));
    expect(postponeForProvider(job, sinceEnd(2 * minute)).job).not.toHaveProperty('usage');
  });
});
