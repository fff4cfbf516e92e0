import { type FaultPlan, noFaults } from '../simulation/fault.ts';
import { faultOnce } from './fault-once.ts';
import { aJobScript } from './job-script.ts';
import type { Scenario } from './scenario.ts';

const secondOfDay = (now: number) => (now / 1_000) % 86_400;
const seconds = (n: number) => n * 1_000;

/** Whatever is called by that name is killed after so long. */
function deadly(name: string, afterMs: number): FaultPlan {
  return { ...noFaults(), killAfterMs: (app) => (app === name ? afterMs : undefined) };
}

/** Every function that encodes a part is killed, so that the job is done in one piece in the end. */
const deadlyParts: Scenario = {
  name: 'every part dies',
  scripts: [aJobScript({ input: 'long', encodeMs: seconds(12) })],
  plan: () => deadly('encode-chunk', seconds(3)),
};

const deadlyJoins: Scenario = {
  name: 'every join dies',
  scripts: [aJobScript({ input: 'long' })],
  plan: () => deadly('join-chunks', 60),
};

/** Its functions go on: what they finish is there for the next. */
const deadlyExecutions: Scenario = {
  name: 'every execution dies',
  scripts: [aJobScript({ input: 'long', encodeMs: seconds(8) })],
  plan: () => deadly('parallel-machine', seconds(2)),
};

const outlivedParts: Scenario = {
  name: 'a part takes longer than a function lives',
  scripts: [aJobScript({ input: 'long', encodeMs: seconds(2_000) })],
};

/** Whatever is to be done is done twice at once: parts, joins, and what they say. */
const partsTwice: Scenario = {
  name: 'every part and every join is called twice',
  scripts: (['long', 'seamed', 'stubborn'] as const).map((input) =>
    aJobScript({ input, encodeMs: seconds(5) }),
  ),
  conditions: { repeats: () => true },
};

/** A start that is held up until just after the next attempt has begun. */
const lateStart: Scenario = {
  name: 'an execution begins after its job was given to another worker',
  scripts: [aJobScript({ input: 'long', encodeMs: 800 })],
  plan: () => {
    let starts = 0;
    const isFirst = (effect: string) => effect === 'parallel.start' && ++starts === 1;
    return {
      ...noFaults(({ effect }) => (isFirst(effect) ? 'late' : undefined)),
      delayMs: () => seconds(57.77),
    };
  },
};

/** Cancelled later after its claim than a function can live, while the file of a part is on its way for minutes. */
const cancelledLate: Scenario = {
  name: 'the last part of a long job arrives after the job was cancelled',
  scripts: [
    aJobScript({
      input: 'long',
      encodeMs: seconds(1_600),
      steps: [{ afterMs: seconds(963), what: 'cancel' }],
    }),
  ],
  plan: () => ({
    ...noFaults(({ effect, now }) => {
      const isLastPart = effect === 'files.upload' && secondOfDay(now) > 12 * 3_600 + 900;
      return isLastPart ? 'late' : undefined;
    }),
    delayMs: () => seconds(100),
  }),
};

/** Between two looks of the part that ends last, so that only its last note tells it. */
const cancelledAtTheEnd: Scenario = {
  name: 'a job is cancelled a moment before its last part is done',
  scripts: [aJobScript({ input: 'long', encodeMs: 800, steps: [{ afterMs: 2_900, what: 'cancel' }] })],
};

/** Two are told that a part failed; one of them stands still until the other has sent the job back, to a worker. */
const overtakenJoiner: Scenario = {
  name: 'a joiner wakes to send a job back that another worker has taken',
  scripts: [aJobScript({ input: 'stubborn', encodeMs: seconds(20) })],
  conditions: { repeats: (what) => what === 'step' },
  plan: () => ({
    ...faultOnce(({ app, effect }) => app === 'join-chunks' && effect === 'workFiles.readText', 'pause'),
    delayMs: () => seconds(1.5),
  }),
};

/** Every worker dies between the start of the machine and the write that it has left the job to it. */
const neverLeft: Scenario = {
  name: 'no worker writes that it has left its job to an execution',
  scripts: [aJobScript({ input: 'long', encodeMs: seconds(150) })],
  plan: () => {
    let isStarted = false;
    return noFaults(({ app, effect }) => {
      if (effect === 'parallel.start') isStarted = true;
      return isStarted && app === 'transcode' && effect === 'jobs.write' ? 'crash-before' : undefined;
    });
  },
};

/** Ways that a job in parts goes by a certain run of faults, short enough for every fault at every call besides. */
export const explorableChunkedFaultScenarios: readonly Scenario[] = [
  deadlyParts,
  deadlyJoins,
  deadlyExecutions,
  partsTwice,
  neverLeft,
  cancelledAtTheEnd,
  overtakenJoiner,
];

/** All of them, those with hundreds of looks at the job, and those with delays too long for any other call. */
export const chunkedFaultScenarios: readonly Scenario[] = [
  ...explorableChunkedFaultScenarios,
  outlivedParts,
  cancelledLate,
  lateStart,
];
