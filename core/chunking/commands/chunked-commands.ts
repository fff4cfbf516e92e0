import { selectAudio } from '../../encoding/audio/encode-audio.ts';
import { type Encoding, outputSizes } from '../../encoding/encoding.ts';
import type { PlannedOutput } from '../../encoding/plan.ts';
import type { Command } from '../../media/ffmpeg/command.ts';
import type { TimelineOrigin } from '../frame-index/timeline-origin.ts';
import type { Chunk } from '../plan/chunk.ts';
import { audioCommand } from './audio-command.ts';
import { type ChunkEncoderOptions, chunkCommand } from './chunk-command.ts';
import { type ChunkSource, chunkFormat } from './chunk-source.ts';
import { type JoinCommands, joinCommands } from './join-commands.ts';

/** An encoding in parts: all but the joins may run in any order, anywhere. */
export type ChunkedCommands = {
  /** Each leaves a file for each size. */
  chunks: { chunk: Chunk; paths: string[]; command: Command }[];
  /** Left out where the output is silent. */
  audio?: { path: string; command: Command };
  join: JoinCommands;
};

/** Where files go: those that are only joined, by their name, and the finished ones. */
export type ChunkPaths = { pathOf(name: string): string; directory: string };

type Planned = {
  encoding: Encoding;
  outputs: readonly PlannedOutput[];
  chunks: readonly Chunk[];
  timelineOrigin: TimelineOrigin;
};

/** The commands that together make the files that a recipe makes with one. */
export function chunkedCommands(
  input: ChunkSource,
  { encoding, outputs, chunks, timelineOrigin, ...share }: Planned & ChunkEncoderOptions,
  { pathOf, directory }: ChunkPaths,
): ChunkedCommands {
  const chunkPath = (chunk: number, size: number) => pathOf(`chunk-${chunk}-${size}.mp4`);
  const parts = chunks.map((chunk, index) => {
    const place = { timelineOrigin, pathOf: (size: number) => chunkPath(index, size) };
    return {
      chunk,
      paths: outputSizes(encoding).map((_, size) => chunkPath(index, size)),
      command: chunkCommand(input, encoding, { chunk, ...place, ...share }),
    };
  });
  const audio = selectAudio(input.probe, encoding);
  const path = pathOf('audio');
  const join = joinCommands(
    { format: chunkFormat(input), encoding, chunks, outputs, audio },
    { chunkPath, audioPath: () => path, directory },
  );
  return {
    chunks: parts,
    join,
    ...(audio && {
      audio: { path, command: audioCommand(input, encoding, { audio, timelineOrigin, path }) },
    }),
  };
}
