import { type CallPoint, type FaultPlan, noFaults } from '../world/fault.ts';
import { faultOnce } from './fault-once.ts';
import { aJobScript } from './job-script.ts';
import type { Scenario } from './scenario.ts';

const secondOfDay = (now: number) => (now / 1_000) % 86_400;
const seconds = (n: number) => n * 1_000;

/** Kills every invocation of an app after so long. */
function deadly(name: string, afterMs: number): FaultPlan {
  return { ...noFaults(), killAfterMs: (app) => (app === name ? afterMs : undefined) };
}

/** Every chunk task is killed, so the job ends up encoded in a single pass. */
const deadlyParts: Scenario = {
  name: 'every chunk task dies',
  scripts: [aJobScript({ input: 'long', encodeMs: seconds(12) })],
  plan: () => deadly('encode-chunk', seconds(3)),
};

const deadlyJoins: Scenario = {
  name: 'every join dies',
  scripts: [aJobScript({ input: 'long' })],
  plan: () => deadly('join-chunks', 60),
};

/** The functions of a dead execution continue: the next execution finds their results. */
const deadlyExecutions: Scenario = {
  name: 'every execution dies',
  scripts: [aJobScript({ input: 'long', encodeMs: seconds(8) })],
  plan: () => deadly('parallel-machine', seconds(2)),
};

const outlivedParts: Scenario = {
  name: 'a chunk takes longer than the time limit of a function',
  scripts: [aJobScript({ input: 'long', encodeMs: seconds(2_000) })],
};

/** Every chunk task and every join runs twice concurrently. */
const chunksTwice: Scenario = {
  name: 'every chunk task and every join is called twice',
  scripts: (['long', 'unjoinable', 'brokenChunk'] as const).map((input) => aJobScript({ input, encodeMs: seconds(5) })),
  conditions: { repeats: () => true },
};

/** A start that is delayed until just after the next attempt has started. */
const lateStart: Scenario = {
  name: 'an execution starts after another worker has claimed its job',
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

/** Cancelled after the time limit of a function has passed since the claim, while the upload of a chunk takes minutes. */
const cancelledLate: Scenario = {
  name: 'the last chunk of a long job arrives after the job was cancelled',
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

/** Cancelled between two polls of the last chunk task, so that only its last progress write notices it. */
const cancelledAtTheEnd: Scenario = {
  name: 'a job is cancelled just before its last chunk is finished',
  scripts: [aJobScript({ input: 'long', encodeMs: 800, steps: [{ afterMs: 2_900, what: 'cancel' }] })],
};

/** Two joins learn that a chunk failed; one pauses until the other has requeued the job and a worker has claimed it. */
const overtakenJoiner: Scenario = {
  name: 'a join resumes to requeue a job that another worker has claimed',
  scripts: [aJobScript({ input: 'brokenChunk', encodeMs: seconds(20) })],
  conditions: { repeats: (what) => what === 'step' },
  plan: () => ({
    ...faultOnce(({ app, effect }) => app === 'join-chunks' && effect === 'files.readText', 'pause'),
    delayMs: () => seconds(1.5),
  }),
};

/** A join pauses before it requeues its job for the next step. Its message is delivered again, and the second join is first. */
const overtakenJoinerOfStep: Scenario = {
  name: 'a join resumes to requeue a pipeline whose next step another worker has claimed',
  scripts: [aJobScript({ input: 'long', isPipeline: true, encodeMs: seconds(20) })],
  plan: () => {
    let isStored = false;
    const isNext = ({ app, effect }: CallPoint) => {
      if (app !== 'join-chunks') return false;
      const wasStored = isStored;
      isStored ||= effect === 'files.writeText';
      return wasStored && effect === 'jobs.get';
    };
    return { ...faultOnce(isNext, 'pause'), delayMs: () => seconds(66) };
  },
};

/** Every worker dies after it has started the execution and before it has recorded that it delegated the job. */
const neverLeft: Scenario = {
  name: 'no worker records that it delegated its job to an execution',
  scripts: [aJobScript({ input: 'long', encodeMs: seconds(150) })],
  plan: () => {
    let isStarted = false;
    return noFaults(({ app, effect }) => {
      if (effect === 'parallel.start') isStarted = true;
      return isStarted && app === 'transcode' && effect === 'jobs.write' ? 'crash-before' : undefined;
    });
  },
};

/** The function that an encode-chunk of this number runs in is so many times as slow as the others. */
function slow(slowness: Readonly<Record<number, number>>): FaultPlan {
  let functions = 0;
  return {
    ...noFaults(),
    slownessOf: (app) => (app === 'encode-chunk' ? (slowness[++functions] ?? 1) : 1),
  };
}

/** The second run of its task ends first. */
const slowFunction: Scenario = {
  name: 'one function is thirty times as slow as the others',
  scripts: [aJobScript({ input: 'many', encodeMs: seconds(32) })],
  plan: () => slow({ 4: 30 }),
};

/** The first run ends first, while the second one is still under way. */
const slowerSecond: Scenario = {
  name: 'one function is slow, and the one that is to replace it is slower',
  scripts: [aJobScript({ input: 'many', encodeMs: seconds(32) })],
  plan: () => slow({ 4: 4, 6: 30 }),
};

/** The first run ends within two polls after the second one. */
const bothAtOnce: Scenario = {
  name: 'a slow function and the one that is to replace it end almost at the same time',
  scripts: [aJobScript({ input: 'many', encodeMs: seconds(32) })],
  plan: () => slow({ 4: 2.95 }),
};

/** The first run reaches its time limit, and the second one ends later. */
const overdueFirst: Scenario = {
  name: 'a slow function reaches its time limit while another one encodes its chunk',
  scripts: [aJobScript({ input: 'many', encodeMs: seconds(600) })],
  plan: () => slow({ 4: 10, 6: 1.8 }),
};

const unjoinableSecondStep: Scenario = {
  name: 'the second step of a pipeline cannot be joined, and a Fargate task reads what the first has stored',
  scripts: [aJobScript({ input: 'unjoinableLater', isPipeline: true, encodeMs: seconds(60) })],
};

/** Chunked jobs with a certain series of faults, short enough for every additional fault at every call. */
export const explorableChunkedFaultScenarios: readonly Scenario[] = [
  deadlyParts,
  deadlyJoins,
  deadlyExecutions,
  chunksTwice,
  neverLeft,
  cancelledAtTheEnd,
  overtakenJoiner,
  slowFunction,
  slowerSecond,
  bothAtOnce,
];

/** All of them, including those with hundreds of polls and those with long delays. */
export const chunkedFaultScenarios: readonly Scenario[] = [
  ...explorableChunkedFaultScenarios,
  outlivedParts,
  overdueFirst,
  cancelledLate,
  lateStart,
  overtakenJoinerOfStep,
  unjoinableSecondStep,
];
