import { createHash } from 'node:crypto';
import { canonicalJson } from '../../canonical-json.ts';
import { selectAudio } from '../../encoding/audio/encode-audio.ts';
import { type Encoding, outputSizes } from '../../encoding/encoding.ts';
import type { PlannedOutput } from '../../encoding/plan.ts';
import type { RunRecord } from '../../media/ffmpeg/ports.ts';
import type { VideoFormat } from '../../media/formats.ts';
import type { Probe } from '../../media/probe/probe.ts';
import type { StoredFrameTimes } from '../frame-index/stored-frame-times.ts';
import type { TimelineOrigin } from '../frame-index/timeline-origin.ts';
import type { Chunk } from './chunk.ts';

/** What is done in parts, and how: everything but where files lie. */
export type ChunkedWork = {
  /** What encodes: another attempt by the same goes on with what is finished. */
  encodedBy: { service: string; ffmpeg: string };
  source: Probe;
  format: VideoFormat;
  /** Without the path of the picture that is laid over, which differs from machine to machine. */
  encoding: Encoding;
  /** That picture, where there is one. */
  overlay?: Probe;
  /** One of each size. */
  outputs: PlannedOutput[];
  chunks: readonly Chunk[];
  timelineOrigin: TimelineOrigin;
  /** When the source's pictures are shown. */
  frameTimes: StoredFrameTimes;
  /** What the finished job tells besides its file. */
  result: { inputSizeBytes: number; mediaSeconds?: number; measurements?: Record<string, number> };
};

/** An object of the media bucket, in the version that was planned with. */
export type StoredObject = { key: string; etag: string };

/** All that the parts of a job and their join work from. It lies in the bucket as JSON. */
export type ChunkPlan = {
  schemaVersion: typeof schemaVersion;
  work: ChunkedWork;
  source: StoredObject;
  overlay?: StoredObject;
  /** What ffmpeg was asked and said before it was planned. */
  runs: readonly RunRecord[];
};

// To be counted up where a plan of the version before cannot be worked from.
const schemaVersion = 2;

/** A part that is encoded on its own. They are numbered from 0, chunks first. */
export type ChunkTask = { kind: 'chunk'; chunk: Chunk } | { kind: 'audio' };

/** The parts of a work, in the order of their numbers. */
export function chunkTasks({ chunks, source, encoding }: ChunkedWork): ChunkTask[] {
  const picture = chunks.map((chunk): ChunkTask => ({ kind: 'chunk', chunk }));
  return selectAudio(source, encoding) === undefined ? picture : [...picture, { kind: 'audio' }];
}

/** How many files a part leaves. */
export function taskFileCount({ encoding }: ChunkedWork, { kind }: ChunkTask): number {
  return kind === 'audio' ? 1 : outputSizes(encoding).length;
}

/** A name for what comes to the same files, 32 hexadecimal digits. */
export function workHash(work: ChunkedWork): string {
  return createHash('sha256').update(canonicalJson(work)).digest('hex').slice(0, 32);
}

/** The text of a plan. */
export function writePlan(plan: Omit<ChunkPlan, 'schemaVersion'>): string {
  return JSON.stringify({ schemaVersion, ...plan } satisfies ChunkPlan);
}

/**
 * The plan of a text that `writePlan` made.
 * @throws TypeError where another version of the service made it
 */
export function readPlan(text: string): ChunkPlan {
  const plan = JSON.parse(text) as ChunkPlan;
  if (plan.schemaVersion === schemaVersion) return plan;
  throw new TypeError(
    `The plan has schema version ${plan.schemaVersion}, and this worker knows ${schemaVersion}: the service was updated`,
  );
}
