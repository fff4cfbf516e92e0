import { type FaultPlan, noFaults } from '../simulation/fault.ts';
import type { World } from '../simulation/world.ts';
import { chunkedScenarios } from './chunked-scenarios.ts';
import { aJobScript } from './job-script.ts';
import { type RunOptions, runWorld } from './run-world.ts';

export type Scenario = {
  name: string;
  /** What is unlike an ordinary world, whatever goes wrong in it. */
  conditions?: Partial<FaultPlan>;
  /** What goes wrong; nothing unless it says so. */
  plan?: () => FaultPlan;
} & Pick<RunOptions, 'errands' | 'defaults' | 'settings'>;

const seconds = (n: number) => n * 1_000;

/** The ways that a job can go, short enough for each of their calls to be hit by every fault. */
export const scenarios = {
  completed: { name: 'a job is completed, its webhook taken at once', errands: [aJobScript()] },
  refusedTwice: {
    name: 'a webhook is refused twice, then taken',
    errands: [aJobScript({ receiver: 'hesitant', encodeMs: 500 })],
  },
  abandoned: {
    name: 'a webhook is abandoned, then asked for again and for all',
    errands: [
      aJobScript({
        receiver: 'unwilling',
        encodeMs: 500,
        steps: [
          { afterMs: seconds(30), what: 'redeliver' },
          { afterMs: seconds(300), what: 'recover' },
        ],
      }),
    ],
  },
  cancelled: {
    name: 'a job is cancelled while its worker encodes',
    errands: [aJobScript({ encodeMs: seconds(30), steps: [{ afterMs: seconds(4), what: 'cancel' }] })],
  },
  cancelledEarly: {
    name: 'a job is cancelled as its worker takes it, and deleted at once',
    errands: [
      aJobScript({
        steps: [
          { afterMs: 12, what: 'cancel' },
          { afterMs: 60, what: 'delete' },
        ],
      }),
    ],
  },
  deleted: {
    name: 'a completed job is deleted while its webhook is under way',
    errands: [aJobScript({ encodeMs: 500, steps: [{ afterMs: 1_470, what: 'delete' }] })],
  },
  rejected: {
    name: 'an input is gone, a default receiver is told, and the request comes again',
    errands: [aJobScript({ input: 'gone', receiver: 'default', steps: [{ afterMs: 500, what: 'repeat' }] })],
    defaults: { 'owner-1': 'https://owner-1.example/willing' },
  },
  retried: {
    name: 'an encoding fails, is tried again by its owner, and nobody is to be told',
    errands: [
      aJobScript({
        input: 'broken',
        receiver: 'default',
        hasIdempotencyKey: false,
        steps: [
          { afterMs: seconds(10), what: 'retry' },
          { afterMs: seconds(11), what: 'redeliver' },
          { afterMs: seconds(20), what: 'list' },
        ],
      }),
    ],
  },
  ...chunkedScenarios,
} satisfies Record<string, Scenario>;

/** Runs a scenario with what it says goes wrong, or with another plan. */
export function runScenario(
  { plan = () => noFaults(), conditions, ...scenario }: Scenario,
  other: { plan?: FaultPlan; onCall?: (() => unknown) | undefined } = {},
): Promise<World> {
  const { onCall } = other;
  return runWorld({
    ...scenario,
    plan: { ...(other.plan ?? plan()), ...conditions },
    ...(onCall === undefined ? {} : { onCall }),
  });
}
