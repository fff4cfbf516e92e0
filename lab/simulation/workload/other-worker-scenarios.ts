import { noFaults } from '../world/fault.ts';
import { faultOnce } from './fault-once.ts';
import { aJobScript, type JobScript } from './job-script.ts';
import type { Scenario } from './scenario.ts';

const seconds = (n: number) => n * 1_000;

/** A job that no function has time for, as its plan tells. */
function anEndlessJob(differences: Partial<JobScript> = {}): JobScript {
  return aJobScript({ input: 'endless', encodeMs: seconds(5), ...differences });
}

/** Scenarios of Fargate tasks, short enough for every fault at every call. */
export const otherWorkerScenarios = {
  fargate: {
    name: 'a job that no function has time for runs as a Fargate task, after a minute without capacity',
    scripts: [anEndlessJob()],
    // The world begins at noon.
    conditions: { isThrottled: (now) => (now / 1_000) % 86_400 < 12 * 3_600 + 65 },
  },
  fargatePipeline: {
    name: 'a pipeline whose first step no function has time for runs as a Fargate task to its end',
    scripts: [anEndlessJob({ isPipeline: true, encodeMs: seconds(2) })],
  },
  cancelledInFargate: {
    name: 'a job is cancelled and deleted while its Fargate task encodes',
    scripts: [
      anEndlessJob({
        encodeMs: seconds(40),
        steps: [
          { afterMs: seconds(30), what: 'cancel' },
          { afterMs: seconds(50), what: 'delete' },
        ],
      }),
    ],
  },
  cancelledBeforeFargate: {
    name: 'a job is cancelled before its Fargate task has started',
    scripts: [anEndlessJob({ steps: [{ afterMs: seconds(8), what: 'cancel' }] })],
  },
} satisfies Record<string, Scenario>;

const killed = (app: string, afterMs: number, times: number) => () => {
  let started = 0;
  return {
    ...noFaults(),
    killAfterMs: (name: string) => (name === app && ++started <= times ? afterMs : undefined),
  };
};

/** Series of faults of Fargate tasks. */
export const otherWorkerFaultScenarios: readonly Scenario[] = [
  {
    name: 'a Fargate task is killed, and the next one completes its job',
    scripts: [anEndlessJob({ encodeMs: seconds(30) })],
    plan: killed('fargate-task', seconds(10), 1),
  },
  {
    name: 'every Fargate task is killed',
    scripts: [anEndlessJob({ encodeMs: seconds(30) })],
    plan: killed('fargate-task', seconds(10), 99),
  },
  {
    name: 'an execution dies before its Fargate task has started, which starts all the same',
    scripts: [anEndlessJob()],
    plan: killed('fargate-machine', seconds(15), 1),
  },
  {
    name: 'an execution dies while its Fargate task encodes',
    scripts: [anEndlessJob({ encodeMs: seconds(60) })],
    plan: killed('fargate-machine', seconds(40), 1),
  },
  {
    name: 'an encoding takes longer than a function runs, and a Fargate task completes the job',
    scripts: [aJobScript({ encodeMs: seconds(1_200) })],
  },
  {
    name: 'two Fargate tasks are started for each attempt',
    scripts: [anEndlessJob(), anEndlessJob({ ownerId: 'owner-2', atMs: 500 })],
    plan: () => ({ ...noFaults(), repeats: (what) => what === 'step' }),
  },
  {
    name: 'the table fails for a Fargate task during two minutes',
    scripts: [anEndlessJob({ encodeMs: seconds(200) })],
    plan: () =>
      noFaults(({ app, effect, now }) => {
        const second = ((now / 1_000) % 86_400) - 12 * 3_600;
        const isOut = app === 'fargate-task' && effect.startsWith('jobs.') && second > 60 && second < 180;
        return isOut ? 'fail' : undefined;
      }),
  },
  {
    name: 'a worker dies between the record of an execution and its start',
    scripts: [anEndlessJob()],
    plan: () => faultOnce(({ effect }) => effect === 'fargate.start', 'crash-before'),
  },
];
