import { audioArguments, selectAudio } from '../../encoding/audio/encode-audio.ts';
import {
  type Encoding,
  type EncodingFiles,
  isLadderEncoding,
  overlayOf,
  rangeOf,
  withFiles,
} from '../../encoding/encoding.ts';
import { ladderArguments, renditionArguments } from '../../encoding/ladder/encode-ladder.ts';
import { keyframeArguments } from '../../encoding/ladder/segmenting.ts';
import { dropOtherStreams } from '../../encoding/outputs.ts';
import { hasStatefulFilters, videoArguments } from '../../encoding/video/encode-video.ts';
import { seekArguments } from '../../encoding/video/time-range.ts';
import type { Command } from '../../media/ffmpeg/command.ts';
import { keepFilterGraph } from '../../media/filters/video-filters.ts';
import type { VideoFormat } from '../../media/formats.ts';
import type { AudioStream } from '../../media/probe/probe.ts';
import { requireVideo } from '../../media/probe/streams.ts';
import { type TimelineOrigin, timelineOriginOptions } from '../frame-index/timeline.ts';
import type { ChunkedWork, ChunkTask } from '../plan/chunk-plan.ts';
import type { Chunk } from '../plan/cut-video.ts';

export type TaskWork = Pick<ChunkedWork, 'source' | 'format' | 'encoding' | 'timelineOrigin'>;

/** Where a task reads and writes: paths on this disk, or URLs of a range proxy. */
export type TaskFiles = EncodingFiles & {
  source: string;
  /** Whether source and overlay are URLs of a range proxy. */
  isRemote?: boolean;
  /** Path of an encoded file: one per rendition, or file 0 for the audio. */
  outputPath(file: number): string;
  /** Encoder threads. Left out, the encoder chooses by the number of CPUs. */
  threads?: number | undefined;
};

/** The command that encodes one chunk of the video in all renditions, or the audio track. */
export function taskCommand(work: TaskWork, task: ChunkTask, files: TaskFiles): Command {
  if (task.kind === 'chunk') return videoCommand(work, task.chunk, files);
  const audio = selectAudio(work.source, work.encoding);
  if (audio.length === 0) throw new TypeError('A silent output has no audio task');
  return audioCommand(work, audio, files);
}

/**
 * Encodes a chunk with the arguments of a single pass, without audio. Always into MP4, which keeps timestamps in ticks of
 * the source; Matroska rounds them to milliseconds.
 */
function videoCommand(work: TaskWork, chunk: Chunk, files: TaskFiles): Command {
  const { source, timelineOrigin } = work;
  const { isRemote, outputPath, threads } = files;
  const encoding = withFiles(work.encoding, files);
  const video = requireVideo(source);
  const overlay = overlayOf(encoding);
  const muxing = [
    ...(threads === undefined ? [] : ['-threads', String(threads)]),
    ...['-an', ...dropOtherStreams],
    // A setpts filter would lose the duration of the last frame.
    ...['-output_ts_offset', (-chunk.startSeconds).toFixed(6), '-f', 'mp4'],
  ];
  const { graph, renditions } = renditionsOf(work, encoding, chunk);
  return {
    inputs: [
      {
        path: files.source,
        options: [
          ...(hasStatefulFilters(encoding) ? keepFilterGraph(video) : []),
          ...seekOptions(chunk, timelineOrigin),
          ...timelineOriginOptions(timelineOrigin),
        ],
        isRemote,
      },
      ...(overlay ? [{ path: overlay.path, isRemote }] : []),
    ],
    outputArguments: [
      ...graph,
      ...renditions.flatMap((rendition, file) => [...rendition, ...muxing, outputPath(file)]),
    ],
    durationSeconds: chunk.durationSeconds,
  };
}

/** The filter graph of all renditions, and the arguments that map and encode each. */
function renditionsOf(
  { source, format }: TaskWork,
  encoding: Encoding,
  chunk: Chunk,
): { graph: string[]; renditions: string[][] } {
  const video = requireVideo(source);
  const selectFilters = trimFilters(chunk);
  if (!isLadderEncoding(encoding)) {
    return { graph: [], renditions: [videoArguments(video, { ...encoding, format, selectFilters })] };
  }
  return {
    graph: ladderArguments(video, { ...encoding, selectFilters }),
    renditions: encoding.sizes.map((_, size) => [
      ...renditionArguments(video, { ...encoding, size, format }),
      ...forcedKeyframes(chunk),
    ]),
  };
}

/** Seeks to a keyframe and decodes from there: decoder and filters need the preroll. */
function seekOptions({ seekSeconds }: Chunk, { fileSeconds }: TimelineOrigin): string[] {
  if (seekSeconds === undefined) return [];
  return ['-noaccurate_seek', '-ss', (seekSeconds + fileSeconds).toFixed(6)];
}

/** Keyframes at segment starts inside the chunk; its first frame is always one. */
function forcedKeyframes({ keyframeSeconds }: Chunk): string[] {
  if (keyframeSeconds === undefined) return [];
  return keyframeArguments(keyframeSeconds.map((seconds) => seconds.toFixed(6)).join(','));
}

function trimFilters({ trimStartSeconds, trimEndSeconds }: Chunk): string[] {
  const bounds = [
    ...(trimStartSeconds === undefined ? [] : [`start=${trimStartSeconds.toFixed(6)}`]),
    ...(trimEndSeconds === undefined ? [] : [`end=${trimEndSeconds.toFixed(6)}`]),
  ];
  return bounds.length === 0 ? [] : [`trim=${bounds.join(':')}`];
}

/** Encodes the whole audio tracks with the arguments of a single pass: audio in chunks would click where they join. */
function audioCommand(work: TaskWork, audio: readonly AudioStream[], files: TaskFiles): Command {
  const { encoding, format, timelineOrigin } = work;
  const { source: path, isRemote } = files;
  const range = rangeOf(encoding);
  const { inputOptions, outputOptions } = seekArguments(work.source, range);
  return {
    inputs: [{ path, options: range ? inputOptions : timelineOriginOptions(timelineOrigin), isRemote }],
    outputArguments: [
      ...audioArguments(audio, { ...encoding, format }),
      ...outputOptions,
      ...['-vn', ...dropOtherStreams],
      ...audioContainer(format, audio[0]),
      files.outputPath(0),
      // A seek goes to a keyframe of the video, if ffmpeg reads it, and the audio decoder starts there.
      ...(range ? ['-map', `0:${requireVideo(work.source).index}`, '-c', 'copy'] : []),
      ...(range ? [...outputOptions, '-f', 'null', '-'] : []),
    ],
    durationSeconds: range ? range.end - range.start : audio[0]?.durationSeconds,
  };
}

/** The container of the output: it preserves the encoder delay. */
function audioContainer(format: VideoFormat, { sampleRateHz }: Partial<AudioStream> = {}): string[] {
  if (format === 'mkv' || format === 'webm') return ['-f', 'matroska'];
  // The default movie timescale rounds the start of a late track to milliseconds.
  return ['-movie_timescale', String(sampleRateHz || 48_000), '-f', 'mp4'];
}
