// @module-tag jobs
import { expect, it } from 'vitest';
import { divideCapacity } from '../../../lib/settings/capacity.ts';
import { quantile } from '../../bench/harness/figures/figure.ts';
import { check } from '../../simulation/checker/check.ts';
import { historyOf } from '../../simulation/checker/history.ts';
import { aJobScript, type JobScript } from '../../simulation/workload/job-script.ts';
import { type RunOptions, runWorld } from '../../simulation/workload/run-world.ts';
import { noFaults } from '../../simulation/world/fault.ts';

/** 200 jobs of one owner, each tenth with a slow receiver, all of ten origins. */
const scriptsEvery = (everyMs: number) =>
  Array.from({ length: 200 }, (_, n): JobScript => {
    const isSlow = n % 10 === 0;
    const receiver = n % 20 === 0 ? 'hanging' : 'lagging';
    return aJobScript({
      atMs: n * everyMs,
      encodeMs: 500,
      receiver: isSlow ? receiver : 'willing',
      receiverPort: 8000 + (isSlow ? n % 100 : 100 + (n % 90)),
    });
  });

/** The waits of first attempts to the other receivers of the owner, from the ends of their jobs. */
async function waitsBesideSlowReceivers(
  everyMs: number,
  options: Pick<RunOptions, 'firstAttempts' | 'workers' | 'maxRunningJobs'>,
): Promise<number[]> {
  const { entries } = await runWorld({ plan: noFaults(), scripts: scriptsEvery(everyMs), ...options });
  expect(check(entries)).toEqual([]);
  const waits = historyOf(entries).jobs.flatMap(({ writes, posts: [first] }) => {
    const end = writes.find(({ after }) => 'completedAt' in after);
    return end !== undefined && first?.post.url.endsWith('/willing') ? [first.at - end.at] : [];
  });
  expect(waits).toHaveLength(180);
  return waits;
}

it.each([100, 1_000])(
  'with %i executions, a tenth of slow receivers delays no first attempt to the others of their owner',
  async (capacity) => {
    const { firstAttempts } = divideCapacity({ capacity });
    expect(quantile(await waitsBesideSlowReceivers(300, { firstAttempts }), 0.99)).toBeLessThanOrEqual(1_500);
  },
);

it.each([
  [10, 10, 1_500],
  [100, 10, 12_000],
  [100, 100, 1_500],
])(
  'at %i jobs a second, %i first attempts at once keep the waits beside slow receivers below %i ms',
  async (jobsPerSecond, firstAttempts, maxWaitMs) => {
    const options = { firstAttempts, workers: 200, maxRunningJobs: 200 };
    const waits = await waitsBesideSlowReceivers(1_000 / jobsPerSecond, options);
    expect(quantile(waits, 0.99)).toBeLessThanOrEqual(maxWaitMs);
  },
);
