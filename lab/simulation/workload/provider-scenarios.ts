import { noFaults } from '../world/fault.ts';
import { faultOnce } from './fault-once.ts';
import { aJobScript } from './job-script.ts';
import type { Scenario } from './scenario.ts';

const seconds = (n: number) => n * 1_000;
const providerOwners = ['owner-1'];

/** The first join has stored its file for a retry when it dies; the second one publishes. */
const repeatedJoin: Scenario = {
  name: 'a storage provider fails in the first join of an attempt, and accepts the file of the second',
  scripts: [aJobScript({ input: 'long', encodeMs: 800 })],
  providerOwners,
  plan: () => {
    const rejected = faultOnce(({ effect }) => effect === 'provider.send', 'fail');
    let isStored = false;
    const died = faultOnce(({ effect }) => isStored && effect === 'jobs.write', 'crash-before');
    return noFaults((point) => {
      isStored ||= point.effect === 'files.upload' && point.app === 'join-chunks';
      return rejected.faultOf(point) ?? died.faultOf(point);
    });
  },
};

/** A join freezes until its message was delivered again, and the second join has stored its file for a retry. */
const concurrentJoins: Scenario = {
  name: 'a join notices the end of its job, whose file another join of the same attempt has stored for a retry',
  scripts: [aJobScript({ input: 'long', encodeMs: 800 })],
  providerOwners,
  plan: () => {
    const frozen = faultOnce(({ app, effect }) => app === 'join-chunks' && effect === 'encoder.run', 'pause');
    return noFaults((point) => (point.effect === 'provider.send' ? 'fail' : frozen.faultOf(point)));
  },
};

/** The failed write takes effect at once, but no answer to it arrives before its delivery has changed the record. */
const deafWorker: Scenario = {
  name: 'a worker gets no answer to the write that fails its job, whose file waits for a retry',
  scripts: [aJobScript({ atMs: seconds(25) })],
  providerOwners,
  plan: () => {
    let isRejected = false;
    return noFaults(({ app, effect, now }) => {
      if (effect === 'provider.send') {
        isRejected = true;
        return 'fail';
      }
      const isUnanswered = isRejected && app === 'transcode' && effect === 'jobs.write';
      return isUnanswered && (now / 1_000) % 86_400 < 12 * 3_600 + 62 ? 'lost-answer' : undefined;
    });
  },
};

const retried: Scenario = {
  name: 'a storage provider is away, and the job is retried, completed and deleted',
  scripts: [
    aJobScript({
      steps: [
        { afterMs: seconds(20), what: 'retry' },
        { afterMs: seconds(60), what: 'delete' },
      ],
    }),
  ],
  providerOwners,
  plan: () => faultOnce(({ effect }) => effect === 'provider.send', 'fail'),
};

/** The first join dies while it publishes, and the provider then takes no more bytes. */
const unfinishedPublication: Scenario = {
  name: 'a join dies once its file is visible at the storage provider, which rejects the upload of the next join',
  scripts: [aJobScript({ input: 'long', encodeMs: 800 })],
  providerOwners,
  plan: () => {
    const died = faultOnce(({ effect }) => effect === 'provider.complete', 'crash-after');
    let isVisible = false;
    return noFaults((point) => {
      isVisible ||= point.effect === 'provider.complete';
      return isVisible && point.effect === 'provider.send' ? 'fail' : died.faultOf(point);
    });
  },
};

const unavailableToSweeps: Scenario = {
  name: 'a storage provider does not respond to the first sweeps of an ended job and of a deleted one',
  scripts: [aJobScript(), aJobScript({ steps: [{ afterMs: seconds(60), what: 'delete' }] })],
  providerOwners,
  plan: () => {
    let failed = 0;
    return noFaults(({ app, effect }) => {
      if (app !== 'reconcile' || !effect.startsWith('provider.') || failed === 6) return undefined;
      failed += 1;
      return 'fail';
    });
  },
};

const pipeline: Scenario = {
  name: 'the files of both steps of a pipeline in chunks go to a storage provider',
  scripts: [aJobScript({ input: 'long', isPipeline: true, encodeMs: 800 })],
  providerOwners,
  plan: () => noFaults(),
};

/** Jobs whose files go to a storage provider, with a certain series of faults. */
export const providerScenarios: readonly Scenario[] = [
  repeatedJoin,
  concurrentJoins,
  deafWorker,
  retried,
  unfinishedPublication,
  unavailableToSweeps,
  pipeline,
];
