import { createHash } from 'node:crypto';
import { canonicalJson } from '../canonical-json.ts';
import type { VideoFormat } from '../media/formats.ts';
import type { RunRecord } from '../media/ports.ts';
import type { Probe } from '../media/probe.ts';
import { type Encoding, sizesOf } from '../recipes/encoding.ts';
import type { PlannedOutput } from '../recipes/recipe.ts';
import { keptSound } from '../recipes/sound.ts';
import type { Beginning } from './beginning.ts';
import type { Chunk } from './chunk.ts';
import type { StoredTimes } from './stored-times.ts';

/** What is done in parts, and how: everything but where files lie. */
export type PartsWork = {
  /** What encodes: another attempt by the same goes on with what is finished. */
  madeBy: { service: string; ffmpeg: string };
  source: Probe;
  format: VideoFormat;
  /** Without the path of the picture that is laid over, which differs from machine to machine. */
  encoding: Encoding;
  /** That picture, where there is one. */
  overlay?: Probe;
  /** One of each size. */
  outputs: PlannedOutput[];
  chunks: readonly Chunk[];
  beginning: Beginning;
  /** When the source's pictures are shown. */
  times: StoredTimes;
  /** What the finished job tells besides its file. */
  result: { inputSizeBytes: number; mediaSeconds?: number; measurements?: Record<string, number> };
};

/** An object of the media bucket, in the version that was planned with. */
export type StoredObject = { key: string; etag: string };

/** All that the parts of a job and their join work from. It lies in the bucket as JSON. */
export type PartsPlan = {
  layout: typeof layout;
  work: PartsWork;
  source: StoredObject;
  overlay?: StoredObject;
  /** What ffmpeg was asked and said before it was planned. */
  runs: readonly RunRecord[];
};

// To be counted up where a plan of the version before cannot be worked from.
const layout = 2;

/** A part that is encoded on its own. They are numbered from 0, chunks first. */
export type Part = { kind: 'chunk'; chunk: Chunk } | { kind: 'sound' };

/** The parts of a work, in the order of their numbers. */
export function partsOf({ chunks, source, encoding }: PartsWork): Part[] {
  const picture = chunks.map((chunk): Part => ({ kind: 'chunk', chunk }));
  return keptSound(source, encoding) === undefined ? picture : [...picture, { kind: 'sound' }];
}

/** How many files a part leaves. */
export function filesOf({ encoding }: PartsWork, { kind }: Part): number {
  return kind === 'sound' ? 1 : sizesOf(encoding).length;
}

/** A name for what comes to the same files, 32 hexadecimal digits. */
export function workHash(work: PartsWork): string {
  return createHash('sha256').update(canonicalJson(work)).digest('hex').slice(0, 32);
}

/** The text of a plan. */
export function writePlan(plan: Omit<PartsPlan, 'layout'>): string {
  return JSON.stringify({ layout, ...plan } satisfies PartsPlan);
}

/**
 * The plan of a text that `writePlan` made.
 * @throws TypeError where another version of the service made it
 */
export function readPlan(text: string): PartsPlan {
  const plan = JSON.parse(text) as PartsPlan;
  if (plan.layout === layout) return plan;
  throw new TypeError(
    `The plan has layout ${plan.layout}, and this worker knows ${layout}: the service was updated`,
  );
}
