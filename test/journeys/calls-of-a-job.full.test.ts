import { expect, it } from 'vitest';
import { countJobCalls } from '../../bench/harness/calls/count-job-calls.ts';
import { callsOfJob } from '../../core/pricing/calls-of-job.ts';

it('a job makes exactly the AWS calls that the documents list and price, from POST to its webhook and one read', async () => {
  const { work, ...others } = await countJobCalls();
  const { work: written, ...rest } = callsOfJob;
  expect(others).toEqual(rest);
  // ffmpeg's log is as long as this machine's ffmpeg makes it: a unit more or less.
  expect(work).toEqual({ ...written, units: { ...written.units, table: expect.any(Number) } });
  expect(work.units.table).toBeLessThanOrEqual(written.units.table + 1);
});
