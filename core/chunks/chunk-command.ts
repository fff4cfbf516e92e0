import { oneGraph } from '../media/changing-size.ts';
import type { Command } from '../media/command.ts';
import type { VideoFormat } from '../media/formats.ts';
import { requireMovingPicture } from '../media/streams.ts';
import { pictureArguments } from '../recipes/encode-video.ts';
import { onlyThese } from '../recipes/outputs.ts';
import type { VideoEncoding } from '../recipes/video-encoding.ts';
import { type Beginning, countingFrom } from './beginning.ts';
import type { Chunk } from './chunk.ts';
import { type ChunkSource, cameFrom } from './chunk-source.ts';

/** What one of several chunks has of a machine that they share. */
export type Share = {
  /** Of its encoder; as many as suit the whole machine where left out. */
  threads?: number;
};

/**
 * Encodes one chunk of the picture, without sound, with the arguments of the single pass. Its file is an MP4 whatever
 * the output is: it keeps times to the tick of the source, which Matroska rounds to milliseconds.
 */
export function chunkCommand(
  input: ChunkSource,
  encoding: VideoEncoding,
  { chunk, beginning, path, threads }: { chunk: Chunk; beginning: Beginning; path: string } & Share,
): Command {
  const video = requireMovingPicture(input.probe);
  const format = input.format as VideoFormat;
  const { overlay, codec } = encoding;
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
      ...pictureArguments(video, { ...encoding, format, ...keptOf(chunk) }),
      // What it says of the processor differs from machine to machine, and is part of how a decoder is set up.
      ...(codec === 'h265' ? ['-x265-params', 'info=0'] : []),
      ...(threads === undefined ? [] : ['-threads', String(threads)]),
      ...['-an', ...onlyThese],
      // A filter that moves times would forget how long the last picture is shown.
      ...['-output_ts_offset', (-chunk.startSeconds).toFixed(6), '-f', 'mp4', path],
    ],
    durationSeconds: chunk.seconds,
  };
}

/** Reads from a keyframe on and keeps what lies before the chunk, which a decoder and filters need. */
function seekTo({ readFromSeconds }: Chunk, { fileSeconds }: Beginning): string[] {
  if (readFromSeconds === undefined) return [];
  return ['-noaccurate_seek', '-ss', (readFromSeconds + fileSeconds).toFixed(6)];
}

function keptOf({ keepFromSeconds, keepUntilSeconds }: Chunk): { kept?: string } {
  const bounds = [
    ...(keepFromSeconds === undefined ? [] : [`start=${keepFromSeconds.toFixed(6)}`]),
    ...(keepUntilSeconds === undefined ? [] : [`end=${keepUntilSeconds.toFixed(6)}`]),
  ];
  return bounds.length === 0 ? {} : { kept: `trim=${bounds.join(':')}` };
}
