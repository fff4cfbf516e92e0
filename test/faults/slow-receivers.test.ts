import { expect, it } from 'vitest';
import { quantile } from '../../bench/harness/figures/figure.ts';
import { divideCapacity } from '../../lib/settings/capacity.ts';
import { check } from './checker/check.ts';
import { historyOf } from './checker/history.ts';
import { noFaults } from './simulation/fault.ts';
import { aJobScript, type JobScript } from './workload/job-script.ts';
import { runWorld } from './workload/run-world.ts';

/** 200 jobs of one owner in a minute, each tenth with a slow receiver, all of ten origins. */
const scripts = Array.from({ length: 200 }, (_, n): JobScript => {
  const isSlow = n % 10 === 0;
  const receiver = n % 20 === 0 ? 'hanging' : 'lagging';
  return aJobScript({
    atMs: n * 300,
    encodeMs: 500,
    receiver: isSlow ? receiver : 'willing',
    receiverPort: 8000 + (isSlow ? n % 100 : 100 + (n % 90)),
  });
});

it.each([100, 1_000])(
  'with %i executions, a tenth of slow receivers delays no first attempt to the others of their owner',
  async (capacity) => {
    const { firstAttempts } = divideCapacity({ capacity });
    const { entries } = await runWorld({ plan: noFaults(), scripts, firstAttempts });
    expect(check(entries)).toEqual([]);
    const waits = historyOf(entries).jobs.flatMap(({ writes, posts: [first] }) => {
      const end = writes.find(({ after }) => 'completedAt' in after);
      return end !== undefined && first?.post.url.endsWith('/willing') ? [first.at - end.at] : [];
    });
    expect(waits).toHaveLength(180);
    expect(quantile(waits, 0.99)).toBeLessThanOrEqual(1_500);
  },
);
