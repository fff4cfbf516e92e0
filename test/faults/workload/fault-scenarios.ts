import { noFaults } from '../simulation/fault.ts';
import { chunkedFaultScenarios } from './chunked-fault-scenarios.ts';
import { faultOnce } from './fault-once.ts';
import { aJobScript } from './job-script.ts';
import type { Scenario } from './scenario.ts';

const seconds = (n: number) => n * 1_000;

/** Too long a way for every fault at every call: hundreds of heartbeats. */
const outlivedWorker: Scenario = {
  name: 'an encoding takes longer than a worker lives',
  scripts: [aJobScript({ encodeMs: seconds(2_000) })],
};

/** Every worker is killed in the middle of its work. */
const deadlyWorkers: Scenario = {
  name: 'every worker dies',
  scripts: [aJobScript({ encodeMs: seconds(20) })],
  plan: () => ({ ...noFaults(), killAfterMs: (app) => (app === 'transcode' ? seconds(5) : undefined) }),
};

/**
 * A worker's terminal write takes effect at once, but every answer to it is lost for half a minute, while reconcile
 * goes on with the job.
 */
const deafWorker: Scenario = {
  name: 'a worker hears nothing of its own terminal write, while its delivery is resumed',
  scripts: [aJobScript({ atMs: seconds(25) })],
  plan: () =>
    noFaults(({ app, effect, now }) => {
      const second = ((now / 1_000) % 86_400) - 12 * 3_600;
      if (app !== 'transcode' || second < 28.5 || second > 62) return undefined;
      return effect === 'jobs.write' || effect === 'deliveries.start' ? 'lost-answer' : undefined;
    }),
};

/** One state machine after the other is lost before it begins. */
const lostExecutions: Scenario = {
  name: 'no delivery begins for ten minutes',
  scripts: [aJobScript({ receiver: 'hesitant' })],
  plan: () =>
    noFaults(({ app, now }) => {
      const minute = (now / 60_000) % 60;
      return app === 'deliver-webhook' && minute < 10 ? 'crash-before' : undefined;
    }),
};

/** S3 refuses to remove anything for half an hour, beginning when the first sweep is due. */
const stubbornBucket: Scenario = {
  name: 'nothing can be swept for half an hour',
  scripts: [
    aJobScript({ input: 'broken' }),
    aJobScript({ steps: [{ afterMs: seconds(60), what: 'delete' }] }),
  ],
  plan: () =>
    noFaults(({ effect, now }) =>
      effect === 'files.removeAll' && (now / 60_000) % 60 < 45 ? 'fail' : undefined,
    ),
};

/** Reconcile's write is held up on its way, and the worker whose lease had ended wakes before it arrives. */
const wokenWorker: Scenario = {
  name: 'a worker wakes and renews its lease between the look and the write of reconcile',
  scripts: [aJobScript({ encodeMs: seconds(120) })],
  plan: () => {
    const paused = faultOnce(({ app, effect }) => app === 'transcode' && effect === 'encoder.run', 'pause');
    const heldUp = faultOnce(({ app, effect }) => app === 'reconcile' && effect === 'jobs.write', 'slow');
    return {
      ...noFaults((point) => paused.faultOf(point) ?? heldUp.faultOf(point)),
      delayMs: (fault) => (fault === 'pause' ? seconds(61) : seconds(7)),
    };
  },
};

/** A worker stands still just before its terminal write, for so long that the next one is at work. */
const overtakenWorker: Scenario = {
  name: 'a worker wakes to end a job that another one is working on',
  scripts: [aJobScript({ atMs: seconds(25), encodeMs: seconds(30), receiver: 'default' })],
  defaults: { 'owner-1': 'https://owner-1.example/willing' },
  plan: () => faultOnce(({ app, effect }) => app === 'transcode' && effect === 'settings.get', 'pause'),
};

/** A message comes twice; one worker stands still before its claim while the other claims, dies and is given up. */
const lateClaim: Scenario = {
  name: 'a worker wakes to claim a job that was claimed and put back since',
  scripts: [aJobScript()],
  plan: () => {
    const paused = faultOnce(({ app, effect }) => app === 'transcode' && effect === 'jobs.get', 'pause');
    let workers = 0;
    return {
      ...noFaults((point) => {
        const isSentAgain = point.app === 'reconcile' && point.effect === 'queue.send';
        return isSentAgain ? 'fail' : paused.faultOf(point);
      }),
      repeats: (what) => what === 'message',
      killAfterMs: (app) => (app === 'transcode' && ++workers === 2 ? seconds(3) : undefined),
    };
  },
};

/** A message takes so long that the index still has the job as due when its worker has just claimed it. */
const staleIndex: Scenario = {
  name: 'the index says that a job is due which was claimed a second ago',
  scripts: [aJobScript({ hasIdempotencyKey: false, atMs: seconds(1), encodeMs: seconds(20) })],
  plan: () => ({
    ...faultOnce(({ effect }) => effect === 'queue.send', 'late'),
    delayMs: () => seconds(357.5),
  }),
};

/** An upload is held up for so long that its job has failed, was deleted and swept before it arrives. */
const lateUpload: Scenario = {
  name: 'a file arrives after its job was deleted and swept',
  scripts: [aJobScript({ steps: [{ afterMs: seconds(10), what: 'delete' }] })],
  plan: () => ({
    ...faultOnce(({ effect }) => effect === 'files.upload', 'late'),
    delayMs: () => seconds(100),
  }),
};

/** A worker dies, and the message that reconcile sends in its place is refused. */
const unsentMessage: Scenario = {
  name: 'the message of a requeued job is not sent',
  scripts: [aJobScript()],
  plan: () => {
    let workers = 0;
    return {
      ...faultOnce(({ app, effect }) => app === 'reconcile' && effect === 'queue.send', 'fail'),
      killAfterMs: (app) => (app === 'transcode' && ++workers === 1 ? seconds(2) : undefined),
    };
  },
};

/** Whatever the platform hands over, it hands over twice. */
const everythingTwice: Scenario = {
  name: 'every message, tick and step comes twice',
  scripts: [aJobScript(), aJobScript({ receiver: 'hesitant' }), aJobScript({ input: 'broken' })],
  plan: () => ({ ...noFaults(), repeats: () => true }),
};

/** Every worker dies before it has claimed the job. */
const neverTaken: Scenario = {
  name: 'no worker takes a job until it has waited too long',
  scripts: [aJobScript()],
  settings: { maxQueueMs: seconds(1_200) },
  plan: () => noFaults(({ app }) => (app === 'transcode' ? 'crash-before' : undefined)),
};

/**
 * S3 takes long to refuse what reconcile asks of it, for two hours and for dozens of jobs, while workers die whose jobs
 * come after them in every shard.
 */
const poisonedShards: Scenario = {
  name: 'many jobs that cannot be swept hold no other up',
  scripts: [
    ...Array.from({ length: 44 }, (_, n) => aJobScript({ input: 'broken', atMs: n * 100 })),
    ...Array.from({ length: 8 }, (_, n) => aJobScript({ atMs: seconds(1_500 + n) })),
  ],
  settings: { maxJobsPerShard: 3 },
  plan: () => {
    let workers = 0;
    return {
      ...noFaults(({ app, effect, now }) => {
        const isRefused =
          app === 'reconcile' && effect === 'files.removeAll' && (now / 60_000) % 1_440 < 14 * 60;
        return isRefused ? 'fail' : undefined;
      }),
      latencyMs: (effect) => (effect === 'files.removeAll' ? 2_300 : 5),
      killAfterMs: (app) => (app === 'transcode' && ++workers > 44 && workers <= 52 ? seconds(2) : undefined),
    };
  },
};

/** Ways that a certain run of faults goes, rather than one or two of them. */
export const faultScenarios: readonly Scenario[] = [
  outlivedWorker,
  deadlyWorkers,
  deafWorker,
  lostExecutions,
  stubbornBucket,
  wokenWorker,
  overtakenWorker,
  lateClaim,
  staleIndex,
  lateUpload,
  unsentMessage,
  everythingTwice,
  neverTaken,
  poisonedShards,
  ...chunkedFaultScenarios,
];
