import { aJobScript } from './job-script.ts';
import type { Scenario } from './scenario.ts';

const seconds = (n: number) => n * 1_000;
const secondOfDay = (now: number) => (now / 1_000) % 86_400;

/** Scenarios of chunked jobs, short enough for every fault at every call. */
export const chunkedScenarios = {
  joined: {
    name: 'an upload is encoded in chunks, after a minute of throttling, and joined',
    scripts: [aJobScript({ input: 'long', isUploaded: true, encodeMs: 800, atMs: seconds(16) })],
    // The world begins at noon.
    conditions: { isThrottled: (now) => secondOfDay(now) < 12 * 3_600 + 65 },
  },
  audioInChunks: {
    name: 'the chunks of a video have its audio, and the output is assembled from them',
    scripts: [aJobScript({ input: 'sung', encodeMs: 800 })],
  },
  targetBitrate: {
    name: 'chunks are measured, then share a target bit rate',
    scripts: [aJobScript({ input: 'sung', encodeMs: 800, bitrate: 500 })],
  },
  unjoinable: {
    name: 'chunks cannot be joined, and the job is encoded in a single pass',
    scripts: [aJobScript({ input: 'unjoinable', encodeMs: 800 })],
  },
  brokenChunk: {
    name: 'a chunk cannot be encoded, and the job is encoded in a single pass',
    scripts: [aJobScript({ input: 'brokenChunk', encodeMs: 800 })],
  },
  readRemotely: {
    name: 'a large source that is read in place is encoded in chunks, and another in a single pass',
    scripts: [
      aJobScript({ input: 'large', encodeMs: 800 }),
      aJobScript({ input: 'large', isPatient: true, encodeMs: 800 }),
    ],
  },
  copied: {
    name: 'a large source without ranges is copied for chunks, and another for a single pass',
    scripts: [
      aJobScript({ input: 'rangeless', encodeMs: 800 }),
      aJobScript({ input: 'rangeless', isPatient: true, encodeMs: 800 }),
    ],
  },
  replaced: {
    name: 'a large source is replaced after it was planned',
    scripts: [aJobScript({ input: 'replaced', encodeMs: 800 })],
  },
  cancelledInParts: {
    name: 'a job is cancelled and deleted while its chunks are encoded',
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
  cancelledUnrecorded: {
    name: 'jobs are cancelled just before their chunk tasks record again, and just after they have begun',
    scripts: [4, 13, 14, 15].map((after, n) =>
      aJobScript({
        ownerId: `owner-${n}`,
        input: 'many',
        encodeMs: seconds(100),
        steps: [{ afterMs: seconds(after), what: 'cancel' }],
      }),
    ),
  },
  cancelledInJoin: {
    name: 'a job is cancelled while its chunks are joined',
    scripts: [aJobScript({ input: 'long', encodeMs: 800, steps: [{ afterMs: 3_240, what: 'cancel' }] })],
  },
  pipeline: {
    name: 'both steps of a pipeline are encoded in chunks, after a minute of throttling',
    scripts: [aJobScript({ input: 'long', isPipeline: true, encodeMs: 800, atMs: seconds(16) })],
    conditions: { isThrottled: (now) => secondOfDay(now) < 12 * 3_600 + 65 },
  },
  unjoinableStep: {
    name: 'neither step of a pipeline can be joined, and each takes a single pass',
    scripts: [aJobScript({ input: 'unjoinable', isPipeline: true, encodeMs: 800 })],
  },
  cancelledInSecondStep: {
    name: 'a pipeline is cancelled and deleted while the chunks of its second step are encoded',
    scripts: [
      aJobScript({
        input: 'long',
        isPipeline: true,
        encodeMs: seconds(8),
        steps: [
          { afterMs: seconds(10), what: 'cancel' },
          { afterMs: seconds(13), what: 'delete' },
        ],
      }),
    ],
  },
  cancelledBetweenSteps: {
    name: 'a pipeline is cancelled between the join of its first step and the next claim',
    scripts: [
      aJobScript({
        input: 'long',
        isPipeline: true,
        encodeMs: 800,
        steps: [{ afterMs: 3_460, what: 'cancel' }],
      }),
    ],
  },
  stoppedInChunks: {
    name: 'a job reaches the limit of its cost while its chunks are encoded',
    scripts: [aJobScript({ input: 'long', encodeMs: seconds(60), maxCostUsd: 0.0016 })],
  },
} satisfies Record<string, Scenario>;
