import { describe, expect, it } from 'vitest';
import { guardHolds } from '../../../core/jobs/guard.ts';
import {
  deleteJob,
  isEarlyAttempt,
  markSwept,
  markTombstoneSwept,
  recordDeliveryAttempt,
  redeliver,
  resumeDelivery,
  settleDelivery,
  storedFilesOf,
} from '../../../core/jobs/terminal-transitions.ts';
import {
  aCancelledJob,
  aCompletedJob,
  aFailedJob,
  withSettledDelivery,
} from '../../builders/jobs/ended-jobs.ts';

const minute = 60_000;
const endedAt = Date.parse(aFailedJob().completedAt);
const sinceEnd = (milliseconds: number) => new Date(endedAt + milliseconds);
const at = (milliseconds: number) => sinceEnd(milliseconds).toISOString();
const sweepAt = at(15 * minute);

describe('a pending delivery', () => {
  const job = aFailedJob({ sweepAt });

  it('is due a minute after an attempt began, plus the wait before the next', () => {
    const recorded = recordDeliveryAttempt(job, {
      deliveryId: 'delivery-1',
      nextDelayMs: 500,
      now: sinceEnd(5_000),
    }).job;
    expect(recorded.dueAt).toBe(at(5_000 + minute + 500));
  });

  it('has an early attempt while 30 s and the wait before the next attempt are left', () => {
    const due = { ...job, dueAt: at(minute) };
    const isEarlyAt = (milliseconds: number) =>
      isEarlyAttempt(due, { nextDelayMs: 500, now: sinceEnd(milliseconds) });
    expect([0, 29_500, 29_501, 2 * minute].map(isEarlyAt)).toEqual([true, true, false, false]);
  });

  it('is not postponed by an attempt over a record that has changed', () => {
    const resumed = resumeDelivery(job, sinceEnd(20_000)).job;
    const late = recordDeliveryAttempt(job, {
      deliveryId: 'delivery-1',
      nextDelayMs: 0,
      now: sinceEnd(5_000),
    });
    expect(guardHolds(late.guard, resumed)).toBe(false);
  });

  it('is resumed under the next number each time, with waits that double up to an hour', () => {
    let resumed = job;
    const waits = Array.from({ length: 8 }, (_, n) => {
      resumed = resumeDelivery(resumed, sinceEnd(n * 60 * minute)).job as typeof job;
      return (Date.parse(resumed.dueAt ?? '') - sinceEnd(n * 60 * minute).getTime()) / minute;
    });
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
    expect(resumed.pendingDelivery?.starts).toBe(8);
  });

  it('ends with its outcome; the sweep stays due', () => {
    const { job: over } = settleDelivery(job, 'delivery-1', 'abandoned');
    expect(over).toMatchObject({ deliveryOutcome: 'abandoned', dueAt: sweepAt });
    expect(over).not.toHaveProperty('pendingDelivery');
  });

  it('leaves nothing due if there is nothing to sweep', () => {
    expect(settleDelivery(aFailedJob(), 'delivery-1', 'delivered').job).not.toHaveProperty('dueAt');
  });

  it('cannot be resumed once it is settled', () => {
    expect(() => resumeDelivery(withSettledDelivery(job, 'delivered'), sinceEnd(0))).toThrow(
      'no pending delivery',
    );
  });
});

describe('a redelivery', () => {
  const request = { now: sinceEnd(minute), webhookTarget: 'https://new.example/', deliveryId: 'delivery-2' };

  it('is pending under a new id, to the current target', () => {
    expect(redeliver(withSettledDelivery(aFailedJob(), 'abandoned'), request).job).toMatchObject({
      webhookTarget: 'https://new.example/',
      pendingDelivery: { id: 'delivery-2', starts: 0, redelivery: true },
      dueAt: at(2 * minute),
    });
  });

  it('is rejected while another delivery is pending', () => {
    const job = withSettledDelivery(aFailedJob(), 'abandoned');
    expect(guardHolds(redeliver(job, request).guard, aFailedJob())).toBe(false);
  });

  it('replaces a first delivery without a target, so that the event is still published once', () => {
    const { job, guard } = redeliver(aFailedJob({ webhookTarget: null }), request);
    expect(job.pendingDelivery).toEqual({ id: 'delivery-2', starts: 0, redelivery: false });
    expect(guardHolds(guard, aFailedJob())).toBe(true);
  });

  it('wins over a sweep of the version before it, and the sweep stays due', () => {
    const due = { ...withSettledDelivery(aFailedJob({ sweepAt }), 'abandoned'), dueAt: sweepAt };
    const again = redeliver(due, request).job;
    expect(guardHolds(markSwept(due).guard, again)).toBe(false);
    expect(settleDelivery(again, 'delivery-2', 'delivered').job.dueAt).toBe(sweepAt);
  });
});

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
