import { describe, expect, it } from 'vitest';
import { type UsageRow, usageByDay } from '../../../core/jobs/usage.ts';

const file = { size_mbytes: 1.250001, duration: 9.96 };
const completed: UsageRow = {
  state: 'completed',
  createdAt: '2026-03-01T23:59:59.999Z',
  claimedAt: '2026-03-02T00:00:10.000Z',
  completedAt: '2026-03-02T00:00:14.250Z',
  mediaSeconds: 10,
  files: { output: file },
};
const oneDay = (...rows: UsageRow[]) => usageByDay(['2026-03-01'], rows)[0];

describe('usage', () => {
  it('counts a job on the UTC day of its creation, by its state', () => {
    const [first, second] = usageByDay(
      ['2026-03-01', '2026-03-02'],
      [completed, { state: 'queued', createdAt: '2026-03-02T00:00:00.000Z' }],
    );
    expect(first).toMatchObject({ date: '2026-03-01', jobs: { completed: 1, queued: 0 } });
    expect(second).toMatchObject({ date: '2026-03-02', jobs: { completed: 0, queued: 1 } });
  });

  it('has zeros for a day without jobs', () => {
    expect(oneDay()).toEqual({
      date: '2026-03-01',
      jobs: { queued: 0, processing: 0, completed: 0, failed: 0, rejected: 0, cancelled: 0 },
      mediaSeconds: 0,
      computeSeconds: 0,
      outputBytes: 0,
    });
  });

  it('sums seconds of media, seconds of workers and bytes of files', () => {
    const pictures = { a: { size_mbytes: 0.1 }, b: { size_mbytes: 0.2 } };
    expect(oneDay(completed, { ...completed, files: pictures })).toMatchObject({
      mediaSeconds: 20,
      computeSeconds: 8.5,
      outputBytes: 1_250_001 + 300_000,
    });
  });

  it('counts the longest file as media seconds if the input was not measured', () => {
    const { mediaSeconds: _, ...unmeasured } = completed;
    expect(oneDay({ ...unmeasured, files: { a: file, b: { ...file, duration: 4 } } })).toMatchObject({
      mediaSeconds: 9.96,
    });
  });

  it('counts the time of a failed worker', () => {
    const { files: _, mediaSeconds: __, ...failed } = completed;
    expect(oneDay({ ...failed, state: 'failed' })).toMatchObject({ computeSeconds: 4.25, outputBytes: 0 });
  });
});
