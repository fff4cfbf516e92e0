import { noFaults } from '../world/fault.ts';
import { chunkedFaultScenarios } from './chunked-fault-scenarios.ts';
import { encryptedScenarios } from './encrypted-scenarios.ts';
import { faultOnce } from './fault-once.ts';
import { aJobScript } from './job-script.ts';
import { laneScenarios } from './long-job-scenarios.ts';
import { otherWorkerFaultScenarios } from './other-worker-scenarios.ts';
import { outageScenarios } from './outage-scenarios.ts';
import { providerScenarios } from './provider-scenarios.ts';
import type { Scenario } from './scenario.ts';
import { spendingScenarios } from './spending-scenarios.ts';
import { usageScenarios } from './usage-scenarios.ts';

const seconds = (n: number) => n * 1_000;

/** Hundreds of heartbeats: too long for every fault at every call. */
const outlivedWorker: Scenario = {
  name: 'an encoding takes longer than the time limit of a worker',
  scripts: [aJobScript({ encodeMs: seconds(2_000) })],
};

/** Every worker is killed while it encodes. */
const deadlyWorkers: Scenario = {
  name: 'every worker dies',
  scripts: [aJobScript({ encodeMs: seconds(20) })],
  plan: () => ({ ...noFaults(), killAfterMs: (app) => (app === 'transcode' ? seconds(5) : undefined) }),
};

/** The first worker has made two of three outputs, and is killed during the third. */
const killedInOutputs: Scenario = {
  name: 'a worker is killed while it makes the last of three outputs',
  scripts: [aJobScript({ graph: 'tree', encodeMs: seconds(40) })],
  plan: () => ({ ...noFaults(), killAfterMs: (app) => (app === 'transcode' ? seconds(100) : undefined) }),
};

/** A heartbeat is written during the download, and the next one would come after the plan. */
const unheardHeartbeat: Scenario = {
  name: 'a worker gets no answer to its last heartbeat before it delegates its job',
  scripts: [aJobScript({ input: 'long', encodeMs: 800 }), aJobScript({ input: 'endless' })],
  plan: () => ({
    ...noFaults(({ app, effect, now }) => {
      const second = ((now / 1_000) % 86_400) - 12 * 3_600;
      const isHeartbeat = app === 'transcode' && effect === 'jobs.write' && second > 4 && second < 4.3;
      return isHeartbeat ? 'lost-answer' : undefined;
    }),
    latencyMs: (effect) => (effect === 'download' ? 1_700 : 5),
  }),
};

/**
 * A worker's terminal write takes effect at once, but every answer to it is lost for half a minute, while reconcile
 * handles the job.
 */
const deafWorker: Scenario = {
  name: 'a worker gets no answer to its terminal write, while its delivery is resumed',
  scripts: [aJobScript({ atMs: seconds(25) })],
  plan: () =>
    noFaults(({ app, effect, now }) => {
      const second = ((now / 1_000) % 86_400) - 12 * 3_600;
      if (app !== 'transcode' || second < 28.5 || second > 62) return undefined;
      return effect === 'jobs.write' || effect === 'deliveries.send' ? 'lost-answer' : undefined;
    }),
};

/** The message of a delivery arrives five seconds before reconcile resumes the delivery. */
const lateDelivery: Scenario = {
  name: 'a delivery begins just before reconcile resumes it',
  scripts: [aJobScript({ receiver: 'hanging' })],
  plan: () => ({
    ...faultOnce(({ effect }) => effect === 'deliveries.send', 'late'),
    delayMs: () => seconds(55),
  }),
};

/** Every call of deliver-webhook is lost. */
const lostExecutions: Scenario = {
  name: 'no delivery starts for ten minutes',
  scripts: [aJobScript({ receiver: 'hesitant' })],
  plan: () =>
    noFaults(({ app, now }) => {
      const minute = (now / 60_000) % 60;
      return app === 'deliver-webhook' && minute < 10 ? 'crash-before' : undefined;
    }),
};

/** S3 rejects every delete for half an hour from the first sweep on. */
const stubbornBucket: Scenario = {
  name: 'nothing can be swept for half an hour',
  scripts: [aJobScript({ input: 'broken' }), aJobScript({ steps: [{ afterMs: seconds(60), what: 'delete' }] })],
  plan: () =>
    noFaults(({ effect, now }) => (effect === 'files.removeAll' && (now / 60_000) % 60 < 45 ? 'fail' : undefined)),
};

/** Reconcile's write is delayed, and the worker whose lease had expired resumes before it arrives. */
const wokenWorker: Scenario = {
  name: 'a worker resumes and renews its lease between the read and the write of reconcile',
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

/** A worker pauses just before its terminal write, until the next worker has claimed the job. */
const overtakenWorker: Scenario = {
  name: 'a worker resumes to end a job that another worker has claimed',
  scripts: [aJobScript({ atMs: seconds(25), encodeMs: seconds(30), receiver: 'default' })],
  defaults: { 'owner-1': 'https://owner-1.example/willing' },
  plan: () => faultOnce(({ app, effect }) => app === 'transcode' && effect === 'settings.get', 'pause'),
};

/** Two workers, an owner whose jobs take minutes, and another with many short ones. */
const slowNeighbour: Scenario = {
  name: 'the jobs of one owner are slow while those of another wait',
  workers: 2,
  scripts: [
    ...Array.from({ length: 5 }, () => aJobScript({ ownerId: 'owner-2', encodeMs: seconds(200) })),
    ...Array.from({ length: 24 }, (_, n) => aJobScript({ atMs: seconds(20) + n, encodeMs: seconds(10) })),
  ],
};

/** An attempt counts as running, and its claim takes seven seconds: the entry is still needed. */
const slowClaim: Scenario = {
  name: 'a job finds its limit reached while the claim of another is under way',
  maxRunningJobs: 1,
  scripts: [aJobScript({ encodeMs: seconds(20) }), aJobScript({ atMs: seconds(1), encodeMs: seconds(20) })],
  plan: () => faultOnce(({ app, effect }) => app === 'transcode' && effect === 'jobs.write', 'slow'),
};

/** A message arrives twice; one worker pauses before its claim while the other claims, dies and loses its lease. */
const lateClaim: Scenario = {
  name: 'a worker resumes to claim a job that was claimed and requeued since',
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

/** A message is so late that the index still shows the job as due when its worker has just claimed it. */
const staleIndex: Scenario = {
  name: 'the index shows a job as due that was claimed a second ago',
  scripts: [aJobScript({ hasIdempotencyKey: false, atMs: seconds(1), encodeMs: seconds(20) })],
  plan: () => ({
    ...faultOnce(({ effect }) => effect === 'queue.send', 'late'),
    delayMs: () => seconds(357.5),
  }),
};

/** An upload is delayed until its job has failed and was deleted and swept. */
const lateUpload: Scenario = {
  name: 'a file arrives after its job was deleted and swept',
  scripts: [aJobScript({ steps: [{ afterMs: seconds(10), what: 'delete' }] })],
  plan: () => ({
    ...faultOnce(({ effect }) => effect === 'files.upload', 'late'),
    delayMs: () => seconds(100),
  }),
};

/** A worker dies, and the queue rejects the message that reconcile sends. */
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

/** The platform delivers everything twice. */
const everythingTwice: Scenario = {
  name: 'every message, tick and step is delivered twice',
  scripts: [aJobScript(), aJobScript({ receiver: 'hesitant' }), aJobScript({ input: 'broken' })],
  plan: () => ({ ...noFaults(), repeats: () => true }),
};

/** Every worker dies before it has claimed the job. */
const neverTaken: Scenario = {
  name: 'no worker claims a job until it has waited too long',
  scripts: [aJobScript()],
  settings: { maxQueueMs: seconds(1_200) },
  plan: () => noFaults(({ app }) => (app === 'transcode' ? 'crash-before' : undefined)),
};

/**
 * S3 is slow to reject the deletes of reconcile, for two hours and for dozens of jobs, while workers die whose jobs
 * come later in every shard.
 */
const poisonedShards: Scenario = {
  name: 'many jobs that cannot be swept delay no other job',
  scripts: [
    ...Array.from({ length: 44 }, (_, n) => aJobScript({ input: 'broken', atMs: n * 100 })),
    ...Array.from({ length: 8 }, (_, n) => aJobScript({ atMs: seconds(1_500 + n) })),
  ],
  settings: { maxJobsPerShard: 3 },
  plan: () => {
    let workers = 0;
    return {
      ...noFaults(({ app, effect, now }) => {
        const isRejected = app === 'reconcile' && effect === 'files.removeAll' && (now / 60_000) % 1_440 < 14 * 60;
        return isRejected ? 'fail' : undefined;
      }),
      latencyMs: (effect) => (effect === 'files.removeAll' ? 2_300 : 5),
      killAfterMs: (app) => (app === 'transcode' && ++workers > 44 && workers <= 52 ? seconds(2) : undefined),
    };
  },
};

/** One owner's receivers hang, and another's accept everything. */
const hangingReceivers: Scenario = {
  name: "one owner's receivers hang while another's webhooks are delivered",
  scripts: [
    ...Array.from({ length: 12 }, (_, n) =>
      aJobScript({ ownerId: 'owner-2', receiver: 'hanging', encodeMs: 500, atMs: n * 3_000 }),
    ),
    ...Array.from({ length: 6 }, (_, n) => aJobScript({ atMs: seconds(15 + n) })),
  ],
};

/** Scenarios with a certain series of faults, rather than one or two. */
export const faultScenarios: readonly Scenario[] = [
  outlivedWorker,
  killedInOutputs,
  deadlyWorkers,
  unheardHeartbeat,
  deafWorker,
  lateDelivery,
  lostExecutions,
  stubbornBucket,
  wokenWorker,
  overtakenWorker,
  slowNeighbour,
  slowClaim,
  lateClaim,
  staleIndex,
  lateUpload,
  unsentMessage,
  everythingTwice,
  neverTaken,
  poisonedShards,
  hangingReceivers,
  ...chunkedFaultScenarios,
  ...providerScenarios,
  ...usageScenarios,
  ...encryptedScenarios,
  ...spendingScenarios,
  ...laneScenarios,
  ...otherWorkerFaultScenarios,
  ...outageScenarios,
];
