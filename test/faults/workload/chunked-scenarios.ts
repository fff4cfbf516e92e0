import { aJobScript } from './job-script.ts';
import type { Scenario } from './scenario.ts';

const seconds = (n: number) => n * 1_000;
const secondOfDay = (now: number) => (now / 1_000) % 86_400;

/** The ways that a job goes which is encoded in parts, short enough for each of their calls to be hit by every fault. */
export const chunkedScenarios = {
  joined: {
    name: 'an upload is encoded in parts, once there is room for them after a minute, and joined',
    scripts: [aJobScript({ input: 'long', isUploaded: true, encodeMs: 800, atMs: seconds(16) })],
    // The world begins at noon.
    conditions: { isThrottled: (now) => secondOfDay(now) < 12 * 3_600 + 65 },
  },
  seamed: {
    name: 'parts cannot be joined, and the job is done in one piece',
    scripts: [aJobScript({ input: 'seamed', encodeMs: 800 })],
  },
  stubborn: {
    name: 'a part cannot be encoded, and the job is done in one piece',
    scripts: [aJobScript({ input: 'stubborn', encodeMs: 800 })],
  },
  cancelledInParts: {
    name: 'a job is cancelled and deleted while its parts are encoded',
    scripts: [
      aJobScript({
        input: 'long',
        encodeMs: seconds(20),
        steps: [
          { afterMs: seconds(5), what: 'cancel' },
          { afterMs: seconds(9), what: 'delete' },
        ],
      }),
    ],
  },
  cancelledInJoin: {
    name: 'a job is cancelled while its parts are joined',
    scripts: [aJobScript({ input: 'long', encodeMs: 800, steps: [{ afterMs: 3_240, what: 'cancel' }] })],
  },
} satisfies Record<string, Scenario>;
