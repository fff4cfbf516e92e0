import { calmPlan, type FaultPlan } from '../simulation/fault.ts';
import { anErrand } from './errand.ts';
import type { Scenario } from './scenarios.ts';

const seconds = (n: number) => n * 1_000;

/** Whatever is called by that name is killed after so long. */
function deadly(name: string, afterMs: number): FaultPlan {
  return { ...calmPlan(), killAfterMs: (app) => (app === name ? afterMs : undefined) };
}

/** Every function that encodes a part is killed, so that the job is done in one piece in the end. */
const deadlyParts: Scenario = {
  name: 'every part dies',
  errands: [anErrand({ input: 'long', encodeMs: seconds(12) })],
  plan: () => deadly('encode-part', seconds(3)),
};

const deadlyJoins: Scenario = {
  name: 'every join dies',
  errands: [anErrand({ input: 'long' })],
  plan: () => deadly('join-parts', 60),
};

/** Its functions go on: what they finish is there for the next. */
const deadlyExecutions: Scenario = {
  name: 'every execution dies',
  errands: [anErrand({ input: 'long', encodeMs: seconds(8) })],
  plan: () => deadly('parallel-machine', seconds(2)),
};

/** Too long a way for every fault at every call: hundreds of looks at the job. */
const outlivedParts: Scenario = {
  name: 'a part takes longer than a function lives',
  errands: [anErrand({ input: 'long', encodeMs: seconds(2_000) })],
};

/** Whatever is to be done is done twice at once: parts, joins, and what they say. */
const partsTwice: Scenario = {
  name: 'every part and every join is called twice',
  errands: (['long', 'seamed', 'stubborn'] as const).map((input) =>
    anErrand({ input, encodeMs: seconds(5) }),
  ),
  conditions: { repeats: () => true },
};

/** A start that is held up for so long that the next attempt is at work when it comes. */
const lateStart: Scenario = {
  name: 'an execution begins after its job was given to another worker',
  errands: [anErrand({ input: 'long', encodeMs: seconds(20) })],
  plan: () => {
    let starts = 0;
    const isFirst = (effect: string) => effect === 'parallel.start' && ++starts === 1;
    return {
      ...calmPlan(({ effect }) => (isFirst(effect) ? 'late' : undefined)),
      delayMs: () => seconds(108),
    };
  },
};

/** Every worker dies between the start of the machine and the write that it has left the job to it. */
const neverLeft: Scenario = {
  name: 'no worker writes that it has left its job to an execution',
  errands: [anErrand({ input: 'long', encodeMs: seconds(150) })],
  plan: () => {
    let isStarted = false;
    return calmPlan(({ app, effect }) => {
      if (effect === 'parallel.start') isStarted = true;
      return isStarted && app === 'transcode' && effect === 'jobs.write' ? 'crash-before' : undefined;
    });
  },
};

/** Ways that a job in parts goes by a certain run of faults, rather than by one or two of them. */
export const particularParts: readonly Scenario[] = [
  deadlyParts,
  deadlyJoins,
  deadlyExecutions,
  outlivedParts,
  partsTwice,
  lateStart,
  neverLeft,
];
