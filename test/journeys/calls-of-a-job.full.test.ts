import { expect, it } from 'vitest';
import { countJobCalls } from '../../bench/harness/calls/count-job-calls.ts';
import { callsOfJob } from '../../scripts/cost/calls-of-job.ts';

it('a job makes the calls to AWS that are written down and priced, from POST to its webhook and a read', async () => {
  const { work, ...others } = await countJobCalls();
  const { work: written, ...rest } = callsOfJob;
  expect(others).toEqual(rest);
  // ffmpeg's log is as long as this machine's ffmpeg makes it.
  expect(work).toEqual({ ...written, units: { ...written.units, table: expect.any(Number) } });
});
