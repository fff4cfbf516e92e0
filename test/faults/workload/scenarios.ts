import { calmPlan, type FaultPlan } from '../simulation/fault.ts';
import { anErrand } from './errand.ts';
import type { RunOptions } from './run.ts';

export type Scenario = {
  name: string /** What goes wrong; nothing unless it says so. */;
  plan?: FaultPlan;
} & Pick<RunOptions, 'errands' | 'defaults' | 'settings'>;

const seconds = (n: number) => n * 1_000;

/** The ways that a job can go, short enough for each of their calls to be hit by every fault. */
export const scenarios = {
  completed: { name: 'a job is completed, its webhook taken at once', errands: [anErrand()] },
  refusedTwice: {
    name: 'a webhook is refused twice, then taken',
    errands: [anErrand({ receiver: 'hesitant', encodeMs: 500 })],
  },
  abandoned: {
    name: 'a webhook is abandoned, then asked for again and for all',
    errands: [
      anErrand({
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
    errands: [anErrand({ encodeMs: seconds(30), steps: [{ afterMs: seconds(4), what: 'cancel' }] })],
  },
  cancelledEarly: {
    name: 'a job is cancelled as its worker takes it, and deleted at once',
    errands: [
      anErrand({
        steps: [
          { afterMs: 12, what: 'cancel' },
          { afterMs: 60, what: 'delete' },
        ],
      }),
    ],
  },
  deleted: {
    name: 'a completed job is deleted while its webhook is under way',
    errands: [anErrand({ encodeMs: 500, steps: [{ afterMs: 1_470, what: 'delete' }] })],
  },
  rejected: {
    name: 'an input is gone, and a default receiver is told',
    errands: [anErrand({ input: 'gone', receiver: 'default' })],
    defaults: { 'owner-1': 'https://owner-1.example/willing' },
  },
  retried: {
    name: 'an encoding fails, is tried again by its owner, and nobody is to be told',
    errands: [
      anErrand({
        input: 'broken',
        receiver: 'default',
        keyed: false,
        steps: [
          { afterMs: seconds(10), what: 'retry' },
          { afterMs: seconds(11), what: 'redeliver' },
          { afterMs: seconds(20), what: 'list' },
        ],
      }),
    ],
  },
} satisfies Record<string, Scenario>;

/** Too long a way for every fault at every call: hundreds of heartbeats. */
export const outlivedWorker: Scenario = {
  name: 'an encoding takes longer than a worker lives',
  errands: [anErrand({ encodeMs: seconds(2_000) })],
};

/** Every worker is killed in the middle of its work. */
export const deadlyWorkers: Scenario = {
  name: 'every worker dies',
  errands: [anErrand({ encodeMs: seconds(20) })],
  plan: { ...calmPlan(), killAfterMs: (app) => (app === 'transcode' ? seconds(5) : undefined) },
};

/**
 * A worker's terminal write takes effect at once, but every answer to it is lost for half a minute, while reconcile
 * goes on with the job.
 */
export const deafWorker: Scenario = {
  name: 'a worker hears nothing of its own terminal write, while its delivery is resumed',
  errands: [anErrand({ atMs: seconds(25) })],
  plan: calmPlan(({ app, effect, now }) => {
    const second = ((now / 1_000) % 86_400) - 12 * 3_600;
    if (app !== 'transcode' || second < 28.5 || second > 62) return undefined;
    return effect === 'jobs.write' || effect === 'deliveries.start' ? 'lost-answer' : undefined;
  }),
};

/** One state machine after the other is lost before it begins. */
export const lostExecutions: Scenario = {
  name: 'no delivery begins for ten minutes',
  errands: [anErrand({ receiver: 'hesitant' })],
  plan: calmPlan(({ app, now }) => {
    const minute = (now / 60_000) % 60;
    return app === 'deliver-webhook' && minute < 10 ? 'crash-before' : undefined;
  }),
};

/** S3 refuses to remove anything for half an hour, beginning when the first sweep is due. */
export const stubbornBucket: Scenario = {
  name: 'nothing can be swept for half an hour',
  errands: [anErrand({ input: 'broken' }), anErrand({ steps: [{ afterMs: seconds(60), what: 'delete' }] })],
  plan: calmPlan(({ effect, now }) =>
    effect === 'files.removeAll' && (now / 60_000) % 60 < 45 ? 'fail' : undefined,
  ),
};

/** Ways that a certain run of faults goes, rather than one or two of them. */
export const particular: Scenario[] = [
  outlivedWorker,
  deadlyWorkers,
  deafWorker,
  lostExecutions,
  stubbornBucket,
];
