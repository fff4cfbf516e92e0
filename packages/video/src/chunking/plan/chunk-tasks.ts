import { type Encoding, encodingsByCodec, outputSizes } from '../../encoding/encoding.ts';
import type { VideoCodec } from '../../media/codecs/video-codecs.ts';
import type { AudioStream } from '../../media/probe/probe.ts';
import type { ChunkedWork } from './chunk-plan.ts';
import { outputTracks } from './chunked-clips.ts';
import type { AudioChunk } from './cut-audio.ts';
import type { Chunk } from './cut-video.ts';
import { targetOf } from './rate-target.ts';

/** Tracks, whole unless a chunk of them is set. */
export type AudioTask = { tracks: readonly AudioStream[]; chunk?: AudioChunk | undefined };

/**
 * The work of one function. Tasks are numbered from 0: video chunks, all of one codec and then all of the next; the audio;
 * measurements of video chunks.
 */
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
export function chunkTasks({
  chunks,
  source,
  encoding,
  clips,
  audioChunks,
  isAssembled,
}: ChunkTaskSource): ChunkTask[] {
  const tracks = outputTracks({ source, encoding, clips });
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
