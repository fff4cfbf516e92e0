import { faultOnce } from './fault-once.ts';
import { aJobScript } from './job-script.ts';
import type { Scenario } from './scenario.ts';

const seconds = (n: number) => n * 1_000;

const retried = [
  { afterMs: seconds(10), what: 'retry' },
  { afterMs: seconds(40), what: 'delete' },
] as const;

/** Streams with a content key. The simulation has no fragmented files, so none of them completes. */
export const encryptedScenarios: readonly Scenario[] = [
  {
    name: 'encrypted streams are rejected, fail and are cancelled, and are retried; the first jobs are deleted',
    scripts: [
      aJobScript({ isEncrypted: true, input: 'gone', steps: retried }),
      aJobScript({ isEncrypted: true, atMs: 100, input: 'broken', steps: retried }),
      aJobScript({
        isEncrypted: true,
        atMs: 200,
        input: 'broken',
        encodeMs: seconds(9),
        steps: [{ afterMs: seconds(4), what: 'cancel' }, ...retried],
      }),
    ],
  },
  {
    name: 'the worker of an encrypted stream is lost, and the client repeats its request',
    scripts: [aJobScript({ isEncrypted: true, input: 'broken', steps: [{ afterMs: seconds(5), what: 'repeat' }] })],
    plan: () => faultOnce(({ app, effect }) => app === 'transcode' && effect === 'download', 'crash-after'),
  },
];
