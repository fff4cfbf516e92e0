import type { Command } from '../media/command.ts';
import type { VideoFormat } from '../media/formats.ts';
import { keptSound } from '../recipes/sound.ts';
import type { VideoEncoding } from '../recipes/video-encoding.ts';
import type { Beginning } from './beginning.ts';
import type { Chunk } from './chunk.ts';
import { chunkCommand, type Share } from './chunk-command.ts';
import type { ChunkSource } from './chunk-source.ts';
import { joinCommand } from './join-command.ts';
import { soundCommand } from './sound-command.ts';

/** An encoding in parts: all but `join` may run in any order, anywhere. */
export type ChunkedEncoding = {
  chunks: { chunk: Chunk; path: string; command: Command }[];
  /** Left out where the output is silent. */
  sound?: { path: string; command: Command };
  join: Command;
};

/** Where files go: those that are only joined, by their name, and the finished one. */
export type ChunkPlaces = { pathOf(name: string): string; finishedPath: string };

/** The commands that together make the file that `encodeVideo` makes with one. */
export function encodeInChunks(
  input: ChunkSource,
  {
    encoding,
    chunks,
    beginning,
    ...share
  }: { encoding: VideoEncoding; chunks: readonly Chunk[]; beginning: Beginning } & Share,
  { pathOf, finishedPath }: ChunkPlaces,
): ChunkedEncoding {
  const parts = chunks.map((chunk, index) => {
    const path = pathOf(`chunk-${index}.mp4`);
    return { chunk, path, command: chunkCommand(input, encoding, { chunk, beginning, path, ...share }) };
  });
  const audio = keptSound(input.probe, encoding);
  const sound = audio && { audio, path: pathOf('sound') };
  const join = joinCommand({
    format: input.format as VideoFormat,
    codec: encoding.codec,
    chunks: parts,
    ...(sound ? { sound } : {}),
    path: finishedPath,
  });
  return {
    chunks: parts,
    ...(sound
      ? { sound: { path: sound.path, command: soundCommand(input, encoding, { ...sound, beginning }) } }
      : {}),
    join,
  };
}
