import { oneGraph } from '../media/changing-size.ts';
import type { Command } from '../media/command.ts';
import { requireMovingPicture } from '../media/streams.ts';
import { ladderArguments, sizeArguments } from '../recipes/encode-ladder.ts';
import { pictureArguments } from '../recipes/encode-video.ts';
import { type Encoding, isLadder, overlayOf } from '../recipes/encoding.ts';
import { onlyThese } from '../recipes/outputs.ts';
import { keyframeArguments } from '../recipes/streamed.ts';
import { type Beginning, countingFrom } from './beginning.ts';
import type { Chunk } from './chunk.ts';
import { type ChunkSource, cameFrom, containerOf } from './chunk-source.ts';

/** What one of several chunks has of a machine that they share. */
export type Share = {
  /** Of its encoder; as many as suit the whole machine where left out. */
  threads?: number;
};

type Given = {
  chunk: Chunk;
  beginning: Beginning;
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
  { chunk, beginning, pathOf, threads }: Given & Share,
): Command {
  const video = requireMovingPicture(input.probe);
  const overlay = overlayOf(encoding);
  const written = [
    ...(threads === undefined ? [] : ['-threads', String(threads)]),
    ...['-an', ...onlyThese],
    // A filter that moves times would forget how long the last picture is shown.
    ...['-output_ts_offset', (-chunk.startSeconds).toFixed(6), '-f', 'mp4'],
  ];
  const { graph, pictures } = picturesOf(input, encoding, chunk);
  return {
    inputs: [
      {
        path: input.inputPath,
        options: [
          ...(overlay ? oneGraph(video) : []),
          ...seekTo(chunk, beginning),
          ...countingFrom(beginning),
        ],
        ...cameFrom(input),
      },
      ...(overlay ? [{ path: overlay.path, ...cameFrom(input) }] : []),
    ],
    outputArguments: [
      ...graph,
      ...pictures.flatMap((picture, size) => [...picture, ...written, pathOf(size)]),
    ],
    durationSeconds: chunk.seconds,
  };
}

/** Arguments that all sizes share, and those that map, filter and encode each of them. */
function picturesOf(
  input: ChunkSource,
  encoding: Encoding,
  chunk: Chunk,
): { graph: string[]; pictures: string[][] } {
  const video = requireMovingPicture(input.probe);
  const format = containerOf(input);
  const kept = keptOf(chunk);
  if (!isLadder(encoding)) {
    return { graph: [], pictures: [pictureArguments(video, { ...encoding, format, kept })] };
  }
  return {
    graph: ladderArguments(video, { ...encoding, kept }),
    pictures: encoding.sizes.map((_, size) => [
      ...sizeArguments(video, { ...encoding, size, format }),
      ...keyframesOf(chunk),
    ]),
  };
}

/** Reads from a keyframe on and keeps what lies before the chunk, which a decoder and filters need. */
function seekTo({ readFromSeconds }: Chunk, { fileSeconds }: Beginning): string[] {
  if (readFromSeconds === undefined) return [];
  return ['-noaccurate_seek', '-ss', (readFromSeconds + fileSeconds).toFixed(6)];
}

/** The first picture of a chunk is one anyhow. */
function keyframesOf({ keyframesAt }: Chunk): string[] {
  return keyframesAt ? keyframeArguments(keyframesAt.map((seconds) => seconds.toFixed(6)).join(',')) : [];
}

function keptOf({ keepFromSeconds, keepUntilSeconds }: Chunk): string[] {
  const bounds = [
    ...(keepFromSeconds === undefined ? [] : [`start=${keepFromSeconds.toFixed(6)}`]),
    ...(keepUntilSeconds === undefined ? [] : [`end=${keepUntilSeconds.toFixed(6)}`]),
  ];
  return bounds.length === 0 ? [] : [`trim=${bounds.join(':')}`];
}
