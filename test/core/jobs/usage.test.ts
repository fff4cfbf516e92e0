import { describe, expect, it } from 'vitest';
import { usageOf } from '../../../core/jobs/usage.ts';

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
