import { noFaults } from '../world/fault.ts';
import { faultOnce } from './fault-once.ts';
import { aJobScript, type JobScript } from './job-script.ts';
import type { Scenario } from './scenario.ts';

const seconds = (n: number) => n * 1_000;

/** An owner's long jobs, submitted at once. */
function longJobs(count: number, differences: Partial<JobScript> = {}): JobScript[] {
  return Array.from({ length: count }, (_, n) =>
    aJobScript({ ownerId: 'owner-2', atMs: n, input: 'lengthy', encodeMs: seconds(150), ...differences }),
  );
}

/** Another owner's short jobs, one every few seconds. */
function shortJobs(count: number): JobScript[] {
  return Array.from({ length: count }, (_, n) => aJobScript({ atMs: seconds(5 * n), encodeMs: seconds(3) }));
}

/** Long and short jobs on few workers: hundreds of heartbeats, too long for every fault at every call. */
export const laneScenarios: readonly Scenario[] = [
  {
    name: 'long jobs wait under the limit, and short ones of another owner pass them',
    workers: 4,
    scripts: [...longJobs(7), ...shortJobs(30)],
  },
  {
    name: 'jobs take longer than was expected, beside short ones',
    workers: 4,
    scripts: [...longJobs(6, { input: 'good', encodeMs: seconds(400) }), ...shortJobs(30)],
  },
  {
    name: 'two workers have long jobs only',
    workers: 2,
    scripts: longJobs(5),
  },
  {
    name: 'two workers have long jobs, and later short ones of another owner',
    workers: 2,
    scripts: [...longJobs(4), ...shortJobs(20).map((script) => ({ ...script, atMs: script.atMs + 2_000 }))],
  },
  {
    name: 'the worker of a long job dies',
    workers: 4,
    scripts: [...longJobs(5), ...shortJobs(10)],
    plan: () => {
      let started = 0;
      return {
        ...noFaults(),
        killAfterMs: (app) => (app === 'transcode' && ++started === 2 ? seconds(30) : undefined),
      };
    },
  },
  {
    name: 'a long job is cancelled while others wait under the limit',
    workers: 4,
    scripts: [
      ...longJobs(1, { steps: [{ afterMs: seconds(20), what: 'cancel' }] }),
      ...longJobs(4, { encodeMs: seconds(300) }),
    ],
  },
  {
    name: 'long jobs are cancelled before their workers have recorded the queue, and another owner waits',
    workers: 4,
    scripts: [
      ...longJobs(3, { steps: [{ afterMs: seconds(1), what: 'cancel' }] }),
      ...longJobs(4).map((script) => ({ ...script, ownerId: 'owner-3', atMs: script.atMs + seconds(40) })),
    ],
  },
  {
    name: 'the owner of waiting long jobs has reached its limit of running jobs',
    workers: 4,
    maxRunningJobs: 1,
    scripts: [...longJobs(3), ...longJobs(3, { ownerId: 'owner-3' }), ...shortJobs(20)],
  },
  {
    name: 'a worker crashes before it leaves the limit',
    workers: 4,
    scripts: longJobs(5),
    plan: () => faultOnce(({ effect }) => effect === 'long.leave', 'crash-before'),
  },
];
