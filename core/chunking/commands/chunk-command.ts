import { type Encoding, isLadderEncoding, overlayOf } from '../../encoding/encoding.ts';
import { ladderArguments, renditionArguments } from '../../encoding/ladder/encode-ladder.ts';
import { keyframeArguments } from '../../encoding/ladder/segmenting.ts';
import { dropOtherStreams } from '../../encoding/outputs.ts';
import { videoArguments } from '../../encoding/video/encode-video.ts';
import type { Command } from '../../media/ffmpeg/command.ts';
import { keepFilterGraph } from '../../media/filters/video-filters.ts';
import { requireVideo } from '../../media/probe/streams.ts';
import { type TimelineOrigin, timelineOriginOptions } from '../frame-index/timeline-origin.ts';
import type { Chunk } from '../plan/chunk.ts';
import { type ChunkSource, chunkFormat, remoteInput } from './chunk-source.ts';

/** What one of several chunks has of a machine that they share. */
export type ChunkEncoderOptions = {
  /** Of its encoder; as many as suit the whole machine where left out. */
  threads?: number;
};

type Given = {
  chunk: Chunk;
  timelineOrigin: TimelineOrigin;
  /** Where the file of a size goes, by its place among them. */
  pathOf: (size: number) => string;
};

/**
 * Encodes one chunk of the picture in all its sizes, without sound, with the arguments of the single pass. Its files are
 * MP4 whatever the output is: it keeps times to the tick of the source, which Matroska rounds to milliseconds.
 */
export function chunkCommand(
  input: ChunkSource,
  encoding: Encoding,
  { chunk, timelineOrigin, pathOf, threads }: Given & ChunkEncoderOptions,
): Command {
  const video = requireVideo(input.probe);
  const overlay = overlayOf(encoding);
  const written = [
    ...(threads === undefined ? [] : ['-threads', String(threads)]),
    ...['-an', ...dropOtherStreams],
    // A filter that moves times would forget how long the last picture is shown.
    ...['-output_ts_offset', (-chunk.startSeconds).toFixed(6), '-f', 'mp4'],
  ];
  const { graph, pictures } = picturesOf(input, encoding, chunk);
  return {
    inputs: [
      {
        path: input.inputPath,
        options: [
          ...(overlay ? keepFilterGraph(video) : []),
          ...seekTo(chunk, timelineOrigin),
          ...timelineOriginOptions(timelineOrigin),
        ],
        ...remoteInput(input),
      },
      ...(overlay ? [{ path: overlay.path, ...remoteInput(input) }] : []),
    ],
    outputArguments: [
      ...graph,
      ...pictures.flatMap((picture, size) => [...picture, ...written, pathOf(size)]),
    ],
    durationSeconds: chunk.durationSeconds,
  };
}

/** Arguments that all sizes share, and those that map, filter and encode each of them. */
function picturesOf(
  input: ChunkSource,
  encoding: Encoding,
  chunk: Chunk,
): { graph: string[]; pictures: string[][] } {
  const video = requireVideo(input.probe);
  const format = chunkFormat(input);
  const selectFilters = keptOf(chunk);
  if (!isLadderEncoding(encoding)) {
    return { graph: [], pictures: [videoArguments(video, { ...encoding, format, selectFilters })] };
  }
  return {
    graph: ladderArguments(video, { ...encoding, selectFilters }),
    pictures: encoding.sizes.map((_, size) => [
      ...renditionArguments(video, { ...encoding, size, format }),
      ...keyframesOf(chunk),
    ]),
  };
}

/** Reads from a keyframe on and keeps what lies before the chunk, which a decoder and filters need. */
function seekTo({ seekSeconds }: Chunk, { fileSeconds }: TimelineOrigin): string[] {
  if (seekSeconds === undefined) return [];
  return ['-noaccurate_seek', '-ss', (seekSeconds + fileSeconds).toFixed(6)];
}

/** The first picture of a chunk is one anyhow. */
function keyframesOf({ keyframeSeconds }: Chunk): string[] {
  return keyframeSeconds
    ? keyframeArguments(keyframeSeconds.map((seconds) => seconds.toFixed(6)).join(','))
    : [];
}

function keptOf({ trimStartSeconds, trimEndSeconds }: Chunk): string[] {
  const bounds = [
    ...(trimStartSeconds === undefined ? [] : [`start=${trimStartSeconds.toFixed(6)}`]),
    ...(trimEndSeconds === undefined ? [] : [`end=${trimEndSeconds.toFixed(6)}`]),
  ];
  return bounds.length === 0 ? [] : [`trim=${bounds.join(':')}`];
}
