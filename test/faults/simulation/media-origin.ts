import type { AudioRange } from '../../../core/chunking/frame-index/audio-range.ts';
import type { FrameIndex } from '../../../core/chunking/frame-index/frame-index.ts';
import type { Command } from '../../../core/media/ffmpeg/command.ts';
import type { Probe } from '../../../core/media/probe/probe.ts';
import { aFrameIndex } from '../../builders/chunking/a-frame-index.ts';
import { anAudioStream, aProbe, aVideoStream } from '../../builders/media/a-probe.ts';

/**
 * What an input is: `good`; `gone` (it cannot be downloaded); `broken` (it cannot be encoded); long enough to be cut:
 * `long`, `seamed` (its parts cannot be joined), `stubborn` (one of its parts cannot be encoded).
 */
export type InputKind = 'good' | 'gone' | 'broken' | 'long' | 'seamed' | 'stubborn';

/** What a media file was made from, all of it: that is what there is to know of it in the simulation. */
export type MediaOrigin =
  | { kind: 'source'; url: string }
  /** The whole of a source, in one piece. */
  | { kind: 'whole'; url: string }
  | { kind: 'chunk'; url: string; fromSeconds: number; toSeconds: number }
  | { kind: 'sound'; url: string }
  /** Other files of the bucket, one after the other. */
  | { kind: 'joined'; parts: { key: string; made: MediaOrigin }[] }
  | { kind: 'text'; text: string };

/** An object: what was made, and which making of it this was. */
export type StoredMedia = { made: MediaOrigin; etag: string; sizeBytes: number };

/** A file whose key, where it lies in the bucket, is known. */
export type StoredOrigin = { key?: string; made: MediaOrigin };

const picturesPerSecond = 5;

/** What the URL of an input says: its kind, and how many milliseconds it takes to encode it in one piece. */
export function parseInputUrl(url: string): { kind: InputKind; encodeMs: number } {
  const [, kind, encodeMs] = /\/(\w+)[/.](\d+)$/.exec(url) ?? [];
  return { kind: kind as InputKind, encodeMs: Number(encodeMs) };
}

/** A source as it comes from its URL, the same each time. */
export function aSource(url: string): StoredMedia {
  return { made: { kind: 'source', url }, etag: url, sizeBytes: aProbe().sizeBytes };
}

export function inputSeconds(kind: InputKind): number {
  return isChunkable(kind) ? 5 : 2;
}

/** Whether a video of that kind is encoded in parts where its job asks for speed. */
export function isChunkable(kind: InputKind): boolean {
  return kind === 'long' || kind === 'seamed' || kind === 'stubborn';
}

/** The URL of the source that a file was made from. */
export function sourceUrlOf(made: MediaOrigin): string {
  if (made.kind === 'text') throw new Error('A text is no media file');
  if (made.kind !== 'joined') return made.url;
  const [first] = made.parts;
  if (first === undefined) throw new Error('Nothing was joined');
  return sourceUrlOf(first.made);
}

/** What a command of ffmpeg makes of the files that it reads. */
export function originOfOutput(
  { inputs, outputArguments, durationSeconds = 0 }: Command,
  read: Read,
): MediaOrigin {
  const [first] = inputs;
  if (first?.isConcatList) {
    const paths = [...listedIn(first.path), ...inputs.slice(1).map(({ path }) => path)];
    return { kind: 'joined', parts: paths.map((path) => read(path)).map(stored) };
  }
  const url = sourceUrlOf(read(first?.path ?? '').made);
  if (outputArguments.includes('-vn')) return { kind: 'sound', url };
  const offset = outputArguments.indexOf('-output_ts_offset');
  if (offset === -1) return { kind: 'whole', url };
  const fromSeconds = Math.abs(Number(outputArguments[offset + 1]));
  return { kind: 'chunk', url, fromSeconds, toSeconds: fromSeconds + durationSeconds };
}

type Read = (path: string) => StoredOrigin;

function listedIn(list: string): string[] {
  const script = Buffer.from(list.slice(list.indexOf(',') + 1), 'base64').toString();
  return [...script.matchAll(/^file '(.+)'$/gm)].map(([, path = '']) => path);
}

function stored({ key, made }: StoredOrigin): { key: string; made: MediaOrigin } {
  if (key === undefined) throw new Error('Only what lies in the bucket is joined');
  return { key, made };
}

/** What ffprobe says of a source or of a finished file. */
export function probeOf(made: MediaOrigin): Probe {
  const durationSeconds = inputSeconds(parseInputUrl(sourceUrlOf(made)).kind);
  const streams = [
    aVideoStream({ durationSeconds, framesPerSecond: picturesPerSecond }),
    anAudioStream({ durationSeconds }),
  ];
  return aProbe(streams, { durationSeconds });
}

const indexes = new Map<number, FrameIndex>();

/** The pictures of a file. Where chunks of a `seamed` source are joined, one gets lost. */
export function frameIndexOf(made: MediaOrigin): FrameIndex {
  const lost = made.kind === 'joined' && parseInputUrl(sourceUrlOf(made)).kind === 'seamed' ? 1 : 0;
  const pictures = Math.round(pictureSecondsOf(made) * picturesPerSecond) - lost;
  const every = 1_000 / picturesPerSecond;
  const index = indexes.get(pictures) ?? aFrameIndex({ every, pictures, keyframeEvery: picturesPerSecond });
  indexes.set(pictures, index);
  return index;
}

function pictureSecondsOf(made: MediaOrigin): number {
  if (made.kind === 'chunk') return made.toSeconds - made.fromSeconds;
  if (made.kind === 'joined') return made.parts.reduce((sum, part) => sum + pictureSecondsOf(part.made), 0);
  return made.kind === 'sound' ? 0 : inputSeconds(parseInputUrl(sourceUrlOf(made)).kind);
}

/** The sound of a file. */
export function audioSpanOf(made: MediaOrigin): AudioRange {
  const seconds = inputSeconds(parseInputUrl(sourceUrlOf(made)).kind);
  return { packets: 50 * seconds, startSeconds: 0, endSeconds: seconds };
}
