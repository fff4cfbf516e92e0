import { chunkedScenarios } from './chunked-scenarios.ts';
import { aJobScript } from './job-script.ts';
import { otherWorkerScenarios } from './other-worker-scenarios.ts';
import { anEndpoint } from './run-world.ts';
import type { Scenario } from './scenario.ts';

const seconds = (n: number) => n * 1_000;

/** Scenarios short enough for every fault at every call. */
export const scenarios = {
  completed: { name: 'a job is completed, and its webhook accepted at once', scripts: [aJobScript()] },
  rejectedTwice: {
    name: 'a webhook is rejected twice, then accepted',
    scripts: [aJobScript({ receiver: 'hesitant', encodeMs: 500 })],
  },
  endpoints: {
    name: 'a webhook goes to the target of a job and to two endpoints, one of which rejects it at first',
    scripts: [aJobScript({ encodeMs: 500 })],
    endpoints: {
      'owner-1': [
        anEndpoint(1, { manner: 'hesitant', states: ['completed'] }),
        anEndpoint(2, { manner: 'willing' }),
        anEndpoint(3, { manner: 'willing', states: ['failed'] }),
      ],
    },
  },
  abandoned: {
    name: 'a webhook is abandoned, then redelivered and recovered in bulk',
    scripts: [
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
    scripts: [aJobScript({ encodeMs: seconds(30), steps: [{ afterMs: seconds(4), what: 'cancel' }] })],
  },
  cancelledEarly: {
    name: 'a job is cancelled as its worker claims it, and deleted at once',
    scripts: [
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
    scripts: [aJobScript({ encodeMs: 500, steps: [{ afterMs: 1_470, what: 'delete' }] })],
  },
  rejected: {
    name: 'an input is missing, the default receiver gets the webhook, and the request is repeated',
    scripts: [aJobScript({ input: 'gone', receiver: 'default', steps: [{ afterMs: 500, what: 'repeat' }] })],
    defaults: { 'owner-1': 'https://owner-1.example/willing' },
  },
  retried: {
    name: 'an encoding fails, its owner retries it, and there is no receiver',
    scripts: [
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
  stopped: {
    name: 'a job reaches the limit of its cost while its worker encodes, another is rejected for its estimate',
    scripts: [
      aJobScript({ encodeMs: seconds(60), maxCostUsd: 0.0008 }),
      aJobScript({ atMs: 200, maxCostUsd: 0.00012 }),
    ],
  },
  bulky: {
    name: 'the finished file of a job is far larger than estimated, under a limit of the job and under a cap',
    scripts: [
      aJobScript({ input: 'bulky', maxCostUsd: 0.005 }),
      aJobScript({ atMs: 200, input: 'bulky', keyUsdPerDay: 1 }),
    ],
  },
  capped: {
    name: 'two jobs of an owner under a cap that one of them fits, then one that is rejected at once, and a replay',
    usdPerDay: 0.0002,
    scripts: [
      aJobScript({ encodeMs: 500, keyUsdPerDay: 1, steps: [{ afterMs: seconds(21), what: 'repeat' }] }),
      aJobScript({ atMs: 100, encodeMs: 500 }),
      aJobScript({ atMs: seconds(20), hasIdempotencyKey: false }),
    ],
  },
  limited: {
    name: 'three jobs of an owner that may run one at a time, one of them cancelled, beside another owner',
    maxRunningJobs: 1,
    scripts: [
      aJobScript({ encodeMs: 500 }),
      aJobScript({ atMs: 50, encodeMs: seconds(20), steps: [{ afterMs: seconds(5), what: 'cancel' }] }),
      aJobScript({ atMs: 100, encodeMs: 500 }),
      aJobScript({ ownerId: 'owner-2', atMs: 150, encodeMs: 500 }),
    ],
  },
  exchanged: {
    name: 'a worker claims the job of another owner, and sends its own message again',
    conditions: { indexLagMs: () => 5 },
    scripts: [
      aJobScript({ ownerId: 'owner-2', encodeMs: 500 }),
      aJobScript({ ownerId: 'owner-1', atMs: 10, encodeMs: 500 }),
    ],
  },
  queues: {
    name: 'two jobs turn out to be long on two workers, while short ones wait',
    workers: 2,
    scripts: [
      aJobScript({ input: 'lengthy', encodeMs: seconds(3) }),
      aJobScript({ atMs: 50, input: 'lengthy', encodeMs: 500 }),
      aJobScript({ ownerId: 'owner-2', atMs: 100, encodeMs: 500 }),
    ],
  },
  outputs: {
    name: 'two outputs are made of the input, and one of the first of them',
    scripts: [aJobScript({ graph: 'tree', encodeMs: 500 })],
  },
  ...chunkedScenarios,
  ...otherWorkerScenarios,
} satisfies Record<string, Scenario>;
