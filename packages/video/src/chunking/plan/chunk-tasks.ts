import { type Encoding, type EncodingFiles, encodingsByCodec, outputSizes, targetOf } from '../../encoding/encoding.ts';
import type { VideoCodec } from '../../media/codecs/video-codecs.ts';
import type { AudioStream } from '../../media/probe/probe.ts';
import type { ChunkedWork } from './chunk-plan.ts';
import { type ChunkedClip, outputTracks } from './chunked-clips.ts';
import type { AudioChunk } from './cut-audio.ts';
import type { Chunk } from './cut-video.ts';

/** Tracks, whole unless a chunk of them is set. */
export type AudioTask = { tracks: readonly AudioStream[]; chunk?: AudioChunk | undefined };

/** The work of one function. Tasks are numbered from 0: video chunks, codec by codec; the audio; measurements. */
export type ChunkTask =
  /** In one codec, of which `encoding` is. With audio, if the outputs are assembled. */
  | { kind: 'chunk'; encoding: Encoding; chunk: Chunk; audio?: AudioTask }
  /** Measures the bytes of the chunk at a quality that is equal for all chunks. */
  | { kind: 'measurement'; chunk: Chunk }
  | ({ kind: 'audio' } & AudioTask);

export type ChunkTaskSource = Pick<
  ChunkedWork,
  'source' | 'encoding' | 'chunks' | 'clips' | 'audioChunks' | 'isAssembled'
>;

/** Numbers of the sources that a task reads. An encoder of audio needs some of what comes before and after its chunk. */
export function sourcesOfTask({ clips }: Pick<ChunkedWork, 'clips'>, task: ChunkTask): number[] {
  if (clips === undefined) return [0];
  if (task.kind === 'audio') return [...clips.keys()];
  const { clip = 0 } = task.chunk;
  const hasAudio = task.kind === 'chunk' && task.audio !== undefined;
  return [...clips.keys()].filter((number) => Math.abs(number - clip) <= (hasAudio ? 1 : 0));
}

/** The tasks in the order of their numbers. A silent output has none for the audio. */
export function chunkTasks(work: ChunkTaskSource): ChunkTask[] {
  const { chunks, encoding, clips, audioChunks, isAssembled } = work;
  const tracks = outputTracks(work);
  const withVideo = isAssembled ? (audioChunks ?? []) : [];
  const ofAudio = tracks.length === 0 || isAssembled ? [] : (audioChunks ?? [undefined]);
  return [
    ...encodingsByCodec(encoding).flatMap((inCodec) =>
      chunks.map((chunk, number): ChunkTask => {
        const audio = withVideo[number];
        const ofChunk = clips?.[chunk.clip ?? 0]?.encoding ?? inCodec;
        return { kind: 'chunk', encoding: ofChunk, chunk, ...(audio && { audio: { tracks, chunk: audio } }) };
      }),
    ),
    ...ofAudio.map((chunk): ChunkTask => ({ kind: 'audio', tracks, chunk })),
    ...(targetOf(encoding) ? chunks : []).map((chunk): ChunkTask => ({ kind: 'measurement', chunk })),
  ];
}

/**
 * Whether a task has to end before the first video chunk is encoded: the bit rate of a chunk depends on the measurements
 * of all chunks, and in a file of a given size also on the bytes of the audio.
 */
export function runsFirst({ encoding }: Pick<ChunkedWork, 'encoding'>, { kind }: ChunkTask): boolean {
  return kind === 'measurement' || (kind === 'audio' && targetOf(encoding)?.fileBytes !== undefined);
}

/** How many files a task leaves: one per size, or one per audio track. */
export function taskFileCount(task: ChunkTask): number {
  if (task.kind === 'measurement') return 0;
  return task.kind === 'audio' ? task.tracks.length : outputSizes(task.encoding).length;
}

/** A size in one codec, and where its chunks are encoded: the numbers of a task and of a file of it. */
export type ChunkedRendition = { codec: VideoCodec; chunks: { chunk: Chunk; task: number; file: number }[] };

export function chunkedRenditions({ encoding, chunks }: Pick<ChunkedWork, 'encoding' | 'chunks'>): ChunkedRendition[] {
  return encodingsByCodec(encoding).flatMap((inCodec, index) =>
    outputSizes(inCodec).map((_, file) => ({
      codec: inCodec.codec,
      chunks: chunks.map((chunk, number) => ({ chunk, task: index * chunks.length + number, file })),
    })),
  );
}

export function firstAudioTask({ encoding, chunks }: Pick<ChunkedWork, 'encoding' | 'chunks'>): number {
  return encodingsByCodec(encoding).length * chunks.length;
}

export type TaskWork = Pick<
  ChunkedWork,
  | 'source'
  | 'format'
  | 'encoding'
  | 'chunks'
  | 'timelineOrigin'
  | 'isAssembled'
  | 'hasFinalFragments'
  | 'frameTimes'
  | 'outputs'
> & { clips?: readonly ChunkedClip[] | undefined };

/** Where a task reads and writes: paths on this disk, or URLs of a range proxy. */
export type TaskFiles = EncodingFiles & {
  /** In the order of the clips. A task needs those of `sourcesOfTask`. */
  sources: readonly string[];
  /** Whether sources and overlay are URLs of a range proxy. */
  isRemote?: boolean;
  /** Path of an encoded file: one per rendition, or one per audio track. */
  outputPath(file: number): string;
  /** Encoder threads. Left out, the encoder chooses by the number of CPUs. */
  threads?: number | undefined;
};

/** The time and the progress of a run of a task until now. */
export type RunProgress = { ms: number; percent: number };

/** Of the tasks of an encode, by number: their progress in percent, and how long those took that have ended. */
type TaskTimes = {
  chunkProgress?: Readonly<Record<string, number>> | undefined;
  taskMs?: Readonly<Record<string, number>> | undefined;
};

/** A run is compared with so many ended tasks of its kind at least. */
const minSiblings = 2;

/** A sibling that ended sooner has encoded nothing: it found the result of an earlier attempt. */
const minSiblingMs = 500;

/** A shorter run is not worth the start of another function. */
const minMs = 30_000;

/** Half of the time of a function: another run, which would begin then, has the other half to end before this one stops. */
const maxMs = 420_000;

/**
 * Whether a run of task `number` is late, and another one that starts now would probably end before it. It is late if it
 * takes over twice as long as its siblings, the tasks of its kind that have ended, took for the same share of the work. The
 * time that it still needs follows from its progress (Zaharia et al., OSDI 2008): a task that has more work than was
 * planned is late too, and another run of it would not end sooner.
 */
export function isStraggler(
  work: ChunkTaskSource,
  number: number,
  { ms, percent }: RunProgress,
  { chunkProgress = {}, taskMs = {} }: TaskTimes,
): boolean {
  if (ms < minMs) return false;
  const tasks = chunkTasks(work);
  const task = tasks[number];
  if (task === undefined) return false;
  const siblings = [...tasks.entries()].filter(
    ([other, sibling]) =>
      other !== number &&
      kindOf(sibling) === kindOf(task) &&
      chunkProgress[other] === 100 &&
      (taskMs[other] ?? 0) >= minSiblingMs,
  );
  if (siblings.length < minSiblings) return false;
  const expectedMs =
    shareOf(task) * median(siblings.map(([other, sibling]) => (taskMs[other] ?? 0) / shareOf(sibling)));
  const remainingMs = (ms * (100 - percent)) / Math.max(percent, 1);
  return ms > Math.min(2 * expectedMs, maxMs) && remainingMs > expectedMs;
}

/** Chunks in another codec take another time. */
function kindOf(task: ChunkTask): string {
  return task.kind === 'chunk' ? task.encoding.codec : task.kind;
}

/** The share of a task in the work of its kind. Chunks of the audio are equally long. */
function shareOf(task: ChunkTask): number {
  return task.kind === 'audio' ? 1 : task.chunk.costShare;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
