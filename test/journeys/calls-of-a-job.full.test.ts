import { expect, it } from 'vitest';
import { callsOfJob } from '../../core/pricing/per-job.ts';
import { countJobCalls } from '../../lab/bench/harness/calls/count-job-calls.ts';

// @module-tag jobs

it('a job makes exactly the AWS calls that the documents list and price, from POST to its webhook and one read', async () => {
  const { work, ...others } = await countJobCalls();
  const { work: written, ...rest } = callsOfJob;
  expect(others).toEqual(rest);
  // The length of ffmpeg's log differs between machines, so the units may differ by one.
  expect(work).toEqual({ ...written, units: { ...written.units, table: expect.any(Number) } });
  expect(work.units.table).toBeLessThanOrEqual(written.units.table + 1);
});
