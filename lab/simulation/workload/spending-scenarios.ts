import { type CallPoint, noFaults } from '../world/fault.ts';
import { faultOnce } from './fault-once.ts';
import { aJobScript } from './job-script.ts';
import type { Scenario } from './scenario.ts';

const seconds = (n: number) => n * 1_000;

/** More than a minute of compute, which a new job reserves, and less than two. */
const oneJobUsd = 0.003;

/** The function dies between the write of the counter and that of the record. The ids of nine other jobs follow. */
const crashAfterCost: Scenario = {
  name: 'a cost is counted again after its counter has checked its ids',
  scripts: Array.from({ length: 10 }, (_, n) => aJobScript({ atMs: n < 2 ? 0 : seconds(3 * n), keyUsdPerDay: 1 })),
  plan: () => faultOnce(({ app, effect }) => app === 'deliver-webhook' && effect === 'spending.write', 'crash-after'),
};

/** Between the read of the counter and the write, other jobs are counted, the job is cancelled, counted and deleted. */
const lateReservation: Scenario = {
  name: 'a worker reserves for a job that has ended and was counted meanwhile',
  scripts: [
    aJobScript({ keyUsdPerDay: 1, steps: [{ afterMs: seconds(4), what: 'cancel' }] }),
    ...Array.from({ length: 10 }, (_, n) => aJobScript({ atMs: seconds(6 + 3 * n), keyUsdPerDay: 1 })),
  ],
  plan: () => {
    let reads = 0;
    const isReservation = ({ app, effect }: { app: string; effect: string }) =>
      app === 'transcode' && effect === 'spending.read' && ++reads === 2;
    return faultOnce(isReservation, 'pause');
  },
};

/** A function reads the record, and pauses; others count the job and remove its id from the counter. */
const countedWhilePaused: Scenario = {
  name: 'a cost is counted by another function between the read of the record and the write of the counter',
  scripts: Array.from({ length: 11 }, (_, n) =>
    aJobScript({ atMs: n === 0 ? 0 : seconds(70 + 2 * n), keyUsdPerDay: 1 }),
  ),
  plan: () => {
    let hasRead = false;
    const isRecord = ({ app, effect }: CallPoint) => {
      if (app === 'deliver-webhook' && effect === 'spending.read') hasRead = true;
      return hasRead && effect === 'jobs.get';
    };
    return faultOnce(isRecord, 'pause', { delayMs: () => seconds(150) });
  },
};

/** The function that deletes a job dies before it counts the job, whose receivers hang. */
const deletedUncounted: Scenario = {
  name: 'the cost of a deleted job is left to reconcile',
  scripts: [aJobScript({ receiver: 'hanging', keyUsdPerDay: 1, steps: [{ afterMs: seconds(10), what: 'delete' }] })],
  plan: () => faultOnce(({ app, effect }) => app === 'delete-job' && effect === 'spending.read', 'crash-before'),
};

/** The function dies between its reservation and the write of the record, and nobody repeats the request. */
const neverCreated: Scenario = {
  name: 'a submission reserves for a job that is never created',
  scripts: Array.from({ length: 3 }, (_, n) =>
    aJobScript({ atMs: seconds(n), keyUsdPerDay: 1, hasIdempotencyKey: n === 2 }),
  ),
  plan: () => {
    let writes = 0;
    const isSecondJob = ({ app, effect }: CallPoint) =>
      app === 'create-job' && effect === 'jobs.write' && ++writes === 2;
    return faultOnce(isSecondJob, 'crash-before');
  },
};

/** The first takes the whole cap; the others are admitted once it has ended, or never. */
const parallelSubmissions: Scenario = {
  name: 'twenty jobs are submitted at once under a cap of one',
  usdPerDay: oneJobUsd,
  scripts: Array.from({ length: 20 }, (_, n) => aJobScript({ atMs: n, encodeMs: seconds(1) })),
};

/** As if the header of the first source, and the frames of the second, told a small part of what they contain. */
const underestimatedJobs: Scenario = {
  name: 'jobs under a cap take minutes instead of the seconds that were reserved',
  scripts: [
    aJobScript({ keyUsdPerDay: 1, encodeMs: seconds(600) }),
    aJobScript({ keyUsdPerDay: 1, encodeMs: seconds(600), input: 'long' }),
  ],
  plan: noFaults,
};

/** What happens to a spending counter between its read and the write of the record. */
export const spendingScenarios: readonly Scenario[] = [
  crashAfterCost,
  lateReservation,
  countedWhilePaused,
  deletedUncounted,
  neverCreated,
  parallelSubmissions,
  underestimatedJobs,
];
