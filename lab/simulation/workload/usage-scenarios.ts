import type { CallPoint } from '../world/fault.ts';
import { faultOnce } from './fault-once.ts';
import { aJobScript } from './job-script.ts';
import type { Scenario } from './scenario.ts';

const seconds = (n: number) => n * 1_000;

/** The function dies between the write of the counter and that of the record. The names of nine other jobs follow. */
const crashAfterCount: Scenario = {
  name: 'a job is counted again after its counter has checked its names',
  scripts: Array.from({ length: 10 }, (_, n) => aJobScript({ atMs: n < 2 ? 0 : seconds(3 * n) })),
  plan: () => faultOnce(({ effect }) => effect === 'usage.write', 'crash-after'),
};

/** The second job is deleted and swept while the function that counts it pauses. */
const deletedWhileCounted: Scenario = {
  name: 'a job is deleted between the read of its record and the write of its counter',
  scripts: [aJobScript(), aJobScript({ atMs: seconds(45), steps: [{ afterMs: seconds(6), what: 'delete' }] })],
  plan: () => {
    let reads = 0;
    const isSecondCount = ({ app, effect }: CallPoint) =>
      app === 'deliver-webhook' && effect === 'jobs.get' && ++reads === 4;
    return faultOnce(isSecondCount, 'pause', { delayMs: () => seconds(20) });
  },
};

/** The function that deletes a job dies before it subtracts the job. */
const deletedWithoutCount: Scenario = {
  name: 'the usage of a deleted job is left to reconcile',
  scripts: [aJobScript({ steps: [{ afterMs: seconds(10), what: 'delete' }] })],
  plan: () => faultOnce(({ app, effect }) => app === 'delete-job' && effect === 'usage.read', 'crash-before'),
};

/** The third attempt to deliver ends, and nine other jobs are counted, while the function that deletes the job pauses. */
const countedWhileDeleted: Scenario = {
  name: 'a job is counted between the read of its record and the write of its deletion',
  scripts: [
    aJobScript({ receiver: 'hanging', steps: [{ afterMs: seconds(30), what: 'delete' }] }),
    ...Array.from({ length: 10 }, (_, n) => aJobScript({ atMs: seconds(31.7 + 0.2 * n) })),
  ],
  plan: () =>
    faultOnce(({ app, effect }) => app === 'delete-job' && effect === 'jobs.get', 'pause', {
      delayMs: () => seconds(9),
    }),
};

/** What happens to a usage counter between its read and the write of the record. */
export const usageScenarios: readonly Scenario[] = [
  crashAfterCount,
  deletedWhileCounted,
  deletedWithoutCount,
  countedWhileDeleted,
];
