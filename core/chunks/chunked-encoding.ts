import type { Command } from '../media/command.ts';
import { type Encoding, sizesOf } from '../recipes/encoding.ts';
import type { PlannedOutput } from '../recipes/recipe.ts';
import { keptSound } from '../recipes/sound.ts';
import type { Beginning } from './beginning.ts';
import type { Chunk } from './chunk.ts';
import { chunkCommand, type Share } from './chunk-command.ts';
import { type ChunkSource, containerOf } from './chunk-source.ts';
import { type Joins, joinsOf } from './joins.ts';
import { soundCommand } from './sound-command.ts';

/** An encoding in parts: all but the joins may run in any order, anywhere. */
export type ChunkedEncoding = {
  /** Each leaves a file for each size. */
  chunks: { chunk: Chunk; paths: string[]; command: Command }[];
  /** Left out where the output is silent. */
  sound?: { path: string; command: Command };
  joins: Joins;
};

/** Where files go: those that are only joined, by their name, and the finished ones. */
export type ChunkPlaces = { pathOf(name: string): string; directory: string };

type Planned = {
  encoding: Encoding;
  outputs: readonly PlannedOutput[];
  chunks: readonly Chunk[];
  beginning: Beginning;
};

/** The commands that together make the files that a recipe makes with one. */
export function encodeInChunks(
  input: ChunkSource,
  { encoding, outputs, chunks, beginning, ...share }: Planned & Share,
  { pathOf, directory }: ChunkPlaces,
): ChunkedEncoding {
  const chunkPath = (chunk: number, size: number) => pathOf(`chunk-${chunk}-${size}.mp4`);
  const parts = chunks.map((chunk, index) => {
    const place = { beginning, pathOf: (size: number) => chunkPath(index, size) };
    return {
      chunk,
      paths: sizesOf(encoding).map((_, size) => chunkPath(index, size)),
      command: chunkCommand(input, encoding, { chunk, ...place, ...share }),
    };
  });
  const audio = keptSound(input.probe, encoding);
  const path = pathOf('sound');
  const joins = joinsOf(
    { format: containerOf(input), encoding, chunks, outputs, audio },
    { chunkPath, soundPath: () => path, directory },
  );
  return {
    chunks: parts,
    joins,
    ...(audio && { sound: { path, command: soundCommand(input, encoding, { audio, beginning, path }) } }),
  };
}
