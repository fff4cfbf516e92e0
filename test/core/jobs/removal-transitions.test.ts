import { describe, expect, it } from 'vitest';
import { deleteJob, markTombstoneSwept, storedFilesOf } from '../../../core/jobs/removal-transitions.ts';
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

  it('is due at once, and expires after 48 hours', () => {
    const { job } = deleteJob(aCancelledJob(), sinceEnd(minute));
    expect(job.dueAt).toBe(at(minute));
    expect(job.expiresAt * 1000 - sinceEnd(minute).getTime()).toBeGreaterThanOrEqual(48 * 60 * minute);
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
