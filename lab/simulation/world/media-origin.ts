import type { AudioRange, AudioTiming, FrameIndex } from '@media-jobs/video/chunking';
import { argumentTexts, type Command } from '@media-jobs/video/ffmpeg';
import type { Probe } from '@media-jobs/video/probe';
import {
  aFrameIndex,
  aMovie,
  aMovieFile,
  anAudioStream,
  aProbe,
  aTrack,
  aVideoStream,
} from '@media-jobs/video/testing';

/**
 * The kind of an input: `good`; `lengthy` (good, and its duration tells that its encoding takes minutes); `endless`
 * (good, its encoding takes longer than a function has, and it cannot be split); `film` (good, 1080p, and its
 * encoding takes as long as the cost model expects); `bulky` (good, and its encoded file is far larger than estimated); `gone` (the download fails); `broken`
 * (the encoding fails). Long enough for chunks: `long`, `many` (for more chunks than the others), `sung` (its audio is long enough for chunks), `unjoinable` (the
 * join loses a frame), `unjoinableLater` (only the join of a second step does, and a single pass takes longer than a function has), `brokenChunk` (the encoding of a later chunk fails), `large` (it is read in place and does not state when its streams end), `rangeless` (as
 * large, and its server serves no ranges), `replaced` (as large, until its chunks are encoded: then its server has another
 * version).
 */
export type InputKind =
  | ('good' | 'lengthy' | 'endless' | 'film' | 'bulky' | 'gone' | 'broken')
  | (typeof chunkableKinds)[number];

const remoteKinds = ['large', 'rangeless', 'replaced'] as const;
const cutKinds = ['long', 'many', 'sung', 'unjoinable', 'unjoinableLater', 'brokenChunk'] as const;
const chunkableKinds = [...cutKinds, ...remoteKinds] as const;

/** What a media file was made from: all that the simulation knows of a file. */
export type MediaOrigin =
  | { kind: 'source'; url: string }
  /** A whole source, encoded in a single pass. */
  | ({ kind: 'whole'; url: string } & Encoded)
  | ({ kind: 'chunk'; url: string; fromSeconds: number; toSeconds: number; audio?: Range } & Encoded)
  | ({ kind: 'audio'; url: string; fromSeconds: number; toSeconds: number } & Encoded)
  /** Objects of the bucket, concatenated. */
  | { kind: 'joined'; parts: { key: string; made: MediaOrigin }[] }
  | { kind: 'text'; text: string };

type Range = { fromSeconds: number; toSeconds: number };

/** How often the source was encoded, one after the other: 1 unless it is set. */
type Encoded = { generation?: number };

/** An object and its version. */
export type StoredMedia = { made: MediaOrigin; etag: string; sizeBytes: number };

/** A file, with its key if it is an object of the bucket. */
export type StoredOrigin = { key?: string; made: MediaOrigin };

const fps = 5;

/** Milliseconds that the cost model expects for a second of a film in a slot of the pool. */
const encodeMsPerFilmSecond = 250;

/** Parses the URL of an input: its kind, and the milliseconds of a single-pass encoding. */
export function parseInputUrl(url: string): { kind: InputKind; encodeMs: number } {
  const [, kind, encodeMs] = /\/(\w+)[/.](\d+)$/.exec(url) ?? [];
  return { kind: kind as InputKind, encodeMs: Number(encodeMs) };
}

/** The source at a URL. */
export function aSource(url: string): StoredMedia {
  return { made: { kind: 'source', url }, etag: url, sizeBytes: aProbe().sizeBytes };
}

export function inputSeconds({ kind, encodeMs }: ReturnType<typeof parseInputUrl>): number {
  if (kind === 'film') return encodeMs / encodeMsPerFilmSecond;
  if (kind === 'lengthy') return 3_000;
  if (kind === 'unjoinableLater') return 4_000;
  if (kind === 'endless') return 14_000;
  if (kind === 'sung') return 400;
  if (kind === 'many') return 12;
  return isChunkable(kind) ? 5 : 2;
}

/** Whether a video of this kind is encoded in chunks if its job requests speed. */
export function isChunkable(kind: InputKind): boolean {
  return chunkableKinds.some((each) => each === kind);
}

/** The URL of the source that a file was made from. */
export function sourceUrlOf(made: MediaOrigin): string {
  if (made.kind === 'text') throw new Error('Expected a media file, found text');
  if (made.kind !== 'joined') return made.url;
  const [first] = made.parts;
  if (first === undefined) throw new Error('The join has no input');
  return sourceUrlOf(first.made);
}

/** How often the source of a file was encoded, one after the other. */
export function generationOf(made: MediaOrigin): number {
  if (made.kind === 'source' || made.kind === 'text') return 0;
  if (made.kind !== 'joined') return made.generation ?? 1;
  return Math.max(0, ...made.parts.map((part) => generationOf(part.made)));
}

/** The origin of an ffmpeg command's output. */
export function originOfOutput({ inputs, durationSeconds = 0, ...command }: Command, read: Read): MediaOrigin {
  const outputArguments = argumentTexts(command.outputArguments);
  const [first] = inputs;
  if (first?.isConcatList) {
    const paths = inputs.flatMap(({ path, isConcatList }) => (isConcatList ? listedIn(path) : path));
    return { kind: 'joined', parts: paths.map((path) => read(path)).map(stored) };
  }
  const input = read(first?.path ?? '').made;
  const url = sourceUrlOf(input);
  const generation = generationOf(input) + 1;
  const encoded = generation === 1 ? {} : { generation };
  if (outputArguments.includes('-vn')) return { kind: 'audio', url, ...keptAudio(url, outputArguments), ...encoded };
  const offset = outputArguments.indexOf('-output_ts_offset');
  if (offset === -1) return { kind: 'whole', url, ...encoded };
  const fromSeconds = Math.abs(Number(outputArguments[offset + 1]));
  const audio = outputArguments.includes('-an') ? {} : { audio: keptAudio(url, outputArguments) };
  return { kind: 'chunk', url, fromSeconds, toSeconds: fromSeconds + durationSeconds, ...audio, ...encoded };
}

/** The packets that the bitstream filter of a chunk keeps, or all. */
function keptAudio(url: string, outputArguments: readonly string[]): Range {
  const [filter = ''] = outputArguments.filter((argument) => argument.startsWith('noise=drop='));
  const bound = (name: string) =>
    Number(new RegExp(`${name}\\(pts\\*tb,([\\d.-]+)\\)`).exec(filter)?.[1] ?? Number.NaN);
  const [from, to] = [bound('lt'), bound('gte')];
  return {
    fromSeconds: Number.isNaN(from) ? 0 : from,
    toSeconds: Number.isNaN(to) ? inputSeconds(parseInputUrl(url)) : to,
  };
}

type Read = (path: string) => StoredOrigin;

function listedIn(list: string): string[] {
  const script = Buffer.from(list.slice(list.indexOf(',') + 1), 'base64').toString();
  return [...script.matchAll(/^file '(.+)'$/gm)].map(([, path = '']) => path);
}

function stored({ key, made }: StoredOrigin): { key: string; made: MediaOrigin } {
  if (key === undefined) throw new Error('A join reads objects of the bucket only; this input has no key');
  return { key, made };
}

/** The probe of a source or a finished file. */
export function probeOf(made: MediaOrigin): Probe {
  const input = parseInputUrl(sourceUrlOf(made));
  const { kind } = input;
  const durationSeconds = inputSeconds(input);
  const streamEnd = kind === 'large' && made.kind === 'source' ? undefined : durationSeconds;
  const streams = [
    aVideoStream({
      durationSeconds: streamEnd,
      framesPerSecond: fps,
      ...(kind === 'endless' ? endlessVideo(made) : {}),
      ...((kind === 'unjoinableLater' || kind === 'film') && fullHd),
    }),
    anAudioStream({ durationSeconds: streamEnd }),
  ];
  return aProbe(streams, { durationSeconds });
}

const fullHd = { width: 1920, height: 1080 };

/** Large, and of a codec whose packets are not frames: such a source is not split. */
function endlessVideo({ kind }: MediaOrigin) {
  return { ...fullHd, codec: kind === 'source' ? 'vp8' : 'h264' };
}

const indexes = new Map<string, FrameIndex>();

/** The frames of a file. */
export function frameIndexOf(made: MediaOrigin): FrameIndex {
  const frames = Math.round(videoSecondsOf(made) * fps) - (losesFrame(made) ? 1 : 0);
  const every = 1_000 / fps;
  const isFilm = made.kind !== 'text' && parseInputUrl(sourceUrlOf(made)).kind === 'film';
  // Keyframes far apart keep the number of chunks small.
  const keyframeEvery = frames > 100 * fps && !isFilm ? 200 * fps : fps;
  const name = `${frames}/${keyframeEvery}`;
  const index = indexes.get(name) ?? aFrameIndex({ every, frames, keyframeEvery });
  indexes.set(name, index);
  return index;
}

function losesFrame(made: MediaOrigin): boolean {
  if (made.kind !== 'joined') return false;
  const { kind } = parseInputUrl(sourceUrlOf(made));
  return kind === 'unjoinable' || (kind === 'unjoinableLater' && generationOf(made) > 1);
}

function videoSecondsOf(made: MediaOrigin): number {
  if (made.kind === 'chunk') return made.toSeconds - made.fromSeconds;
  if (made.kind === 'joined') return made.parts.reduce((sum, part) => sum + videoSecondsOf(part.made), 0);
  return made.kind === 'audio' ? 0 : inputSeconds(parseInputUrl(sourceUrlOf(made)));
}

const packetSeconds = 1024 / 48_000;

/** The frames of the audio of a file. */
export function audioTimingOf(made: MediaOrigin): AudioTiming {
  return { frameSeconds: packetSeconds, totalSeconds: inputSeconds(parseInputUrl(sourceUrlOf(made))) };
}

function packetAt(seconds: number): number {
  return seconds === 0 ? 0 : Math.round(seconds / packetSeconds + 1.5);
}

function packetsOf(range: Range | undefined): number {
  return range === undefined ? 0 : packetAt(range.toSeconds) - packetAt(range.fromSeconds);
}

function audioOf(made: MediaOrigin): Range | undefined {
  if (made.kind === 'audio') return made;
  return made.kind === 'chunk' ? made.audio : undefined;
}

const movies = new Map<string, Uint8Array>();

/** The bytes of an encoded chunk, of which only the index means something. */
export function movieOf(made: Extract<MediaOrigin, { kind: 'chunk' }>): Uint8Array {
  const { fromSeconds, audio } = made;
  const frames = Math.round(videoSecondsOf(made) * fps);
  const packets = packetsOf(audio);
  const firstPacket = packetAt(audio?.fromSeconds ?? 0);
  const firstTicks = Math.round((firstPacket - 1) * 1024 - fromSeconds * 48_000);
  const name = [frames, packets, firstTicks].join();
  const tracks = [
    aTrack({ timescale: 10_000, samples: frames, ticks: 10_000 / fps, bytes: 1 }),
    ...(audio === undefined
      ? []
      : [
          aTrack({
            kind: 'soun',
            timescale: 48_000,
            samples: packets,
            ticks: 1024,
            bytes: 1,
            firstTicks,
            positions: Float64Array.of(frames),
          }),
        ]),
  ];
  const bytes = movies.get(name) ?? aMovieFile(aMovie(tracks));
  movies.set(name, bytes);
  return bytes;
}

/** The audio range of a file: AAC, whose first packet is encoder delay. */
export function audioSpanOf(made: MediaOrigin): AudioRange {
  const parts = made.kind === 'joined' ? made.parts.map((part) => part.made) : [made];
  const packets = parts.reduce((sum, part) => sum + packetsOf(audioOf(part)), 0);
  return {
    packets,
    sizeBytes: 300 * packets,
    startSeconds: -packetSeconds,
    endSeconds: (packets - 1) * packetSeconds,
  };
}
