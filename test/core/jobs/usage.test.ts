import { describe, expect, it } from 'vitest';
import { usageByDay, usageOf } from '../../../core/jobs/usage.ts';
import { aJobId } from '../../builders/jobs/jobs.ts';

const file = { size_mbytes: 1.250001, duration: 9.96 };
const completed = {
  state: 'completed' as const,
  claimedAt: '2026-03-02T00:00:10.000Z',
  completedAt: '2026-03-02T00:00:14.250Z',
  mediaSeconds: 10,
  files: { output: file },
};

describe('the usage of a job', () => {
  it('has the milliseconds of its media and of its worker, and the bytes of its files', () => {
    const files = { a: { size_mbytes: 0.1 }, b: { size_mbytes: 0.2 } };
    expect(usageOf({ ...completed, files, cost: { transcoding: 700, files: 35 } })).toEqual({
      state: 'completed',
      mediaMs: 10_000,
      computeMs: 4_250,
      outputBytes: 300_000,
      nanoUsd: 735,
    });
  });

  it('counts the longest file if the input was not measured', () => {
    const { mediaSeconds: _, ...unmeasured } = completed;
    const files = { a: file, b: { ...file, duration: 4 } };
    expect(usageOf({ ...unmeasured, files })).toMatchObject({ mediaMs: 9_960 });
  });

  it('counts the time of a failed worker', () => {
    const { files: _, mediaSeconds: __, ...failed } = completed;
    expect(usageOf({ ...failed, state: 'failed' })).toEqual({
      state: 'failed',
      mediaMs: 0,
      computeMs: 4_250,
      outputBytes: 0,
      nanoUsd: 0,
    });
  });
});

describe('the usage of a day', () => {
  const totals = {
    date: '2026-03-01',
    jobs: { completed: 2 },
    mediaMs: 100,
    computeMs: 200,
    outputBytes: 3,
    nanoUsd: 1_500,
  };

  it('is the sum of its counters, and of the unfinished jobs that were created on it', () => {
    const created = new Date('2026-03-01T23:59:59.999Z');
    const [first, second] = usageByDay(
      ['2026-03-01', '2026-03-02'],
      [totals, { ...totals, jobs: { failed: 1 } }, { ...totals, date: '2026-02-28' }],
      [{ state: 'queued', jobId: aJobId(1, created) }],
    );
    expect(first).toEqual({
      date: '2026-03-01',
      jobs: { queued: 1, processing: 0, completed: 2, failed: 1, rejected: 0, cancelled: 0 },
      mediaSeconds: 0.2,
      computeSeconds: 0.4,
      outputBytes: 6,
      usd: 0.000003,
    });
    expect(second).toEqual({
      date: '2026-03-02',
      jobs: { queued: 0, processing: 0, completed: 0, failed: 0, rejected: 0, cancelled: 0 },
      mediaSeconds: 0,
      computeSeconds: 0,
      outputBytes: 0,
      usd: 0,
    });
  });
});
