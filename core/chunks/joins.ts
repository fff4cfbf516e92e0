import type { Command } from '../media/command.ts';
import type { VideoFormat } from '../media/formats.ts';
import type { AudioStream } from '../media/probe.ts';
import type { Encoding } from '../recipes/encoding.ts';
import type { PlannedOutput } from '../recipes/recipe.ts';
import type { Chunk } from './chunk.ts';
import { joinCommand } from './join-command.ts';

/** A finished file with a picture of one size. */
export type JoinedPicture = {
  /** Of the output. */
  name: string;
  path: string;
  /** The file that has its sound; left out where there is none, or where another picture brings it. */
  soundPath?: string;
};

export type Joins = {
  commands: Command[];
  /** What they make, by size. */
  pictures: JoinedPicture[];
};

export type Finished = {
  format: VideoFormat;
  encoding: Encoding;
  chunks: readonly Chunk[];
  outputs: readonly PlannedOutput[];
  /** The track that was encoded; left out where the output is silent. */
  audio?: AudioStream | undefined;
};

export type JoinPlaces = {
  /** Where the file of a chunk in a size lies, each by its number. */
  chunkPath: (chunk: number, size: number) => string;
  soundPath: () => string;
  /** Those are addresses of objects behind a door. */
  areStored?: boolean;
  /** Where the finished files go. */
  directory: string;
};

/** The commands that make all outputs of the parts of an encoding, and encode nothing. */
export function joinsOf(
  { format, encoding: { codec }, chunks, outputs, audio }: Finished,
  { chunkPath, soundPath, areStored = false, directory }: JoinPlaces,
): Joins {
  const sound = audio && { audio, path: soundPath() };
  const pictures = outputs.map(({ name, filename }): JoinedPicture => {
    const path = `${directory}/${filename}`;
    return { name, path, ...(sound && { soundPath: path }) };
  });
  const commands = pictures.map(({ path }, size) =>
    joinCommand({
      ...{ format, codec, areStored, path },
      chunks: chunks.map((chunk, index) => ({ chunk, path: chunkPath(index, size) })),
      ...(sound && { sound }),
    }),
  );
  return { commands, pictures };
}
