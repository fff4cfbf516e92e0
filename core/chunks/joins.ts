import type { Command } from '../media/command.ts';
import type { VideoFormat } from '../media/formats.ts';
import type { AudioStream } from '../media/probe.ts';
import { type Encoding, isLadder, sizesOf } from '../recipes/encoding.ts';
import type { PlannedOutput } from '../recipes/recipe.ts';
import type { Chunk } from './chunk.ts';
import { joinCommand } from './join-command.ts';
import { packageCommand } from './package-command.ts';

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
  { format, encoding, chunks, outputs, audio }: Finished,
  { chunkPath, soundPath, areStored = false, directory }: JoinPlaces,
): Joins {
  const sizes = sizesOf(encoding).map((_, size) =>
    chunks.map((chunk, index) => ({ chunk, path: chunkPath(index, size) })),
  );
  const sound = audio && { audio, path: soundPath() };
  const parts = { areStored, ...(sound && { sound }) };
  const files = outputs.map((output) => ({ ...output, path: `${directory}/${output.filename}` }));
  if (isLadder(encoding) && encoding.streamed !== undefined) {
    const { streamed, audioBitrateKbps } = encoding;
    return {
      commands: [packageCommand({ ...parts, streamed, sizes, audioBitrateKbps, directory })],
      pictures: packedPictures(files),
    };
  }
  const { codec } = encoding;
  return {
    commands: files.map(({ path }, size) =>
      joinCommand({ ...parts, format, codec, chunks: sizes[size] ?? [], path }),
    ),
    pictures: files.map(({ name, path }) => ({ name, path, ...(sound && { soundPath: path }) })),
  };
}

type File = Pick<PlannedOutput, 'name' | 'expectation'> & { path: string };

/** Each size has a file, and the sound one of its own; the others are playlists. */
function packedPictures(files: readonly File[]): JoinedPicture[] {
  const sound = files.find(({ expectation }) => expectation?.audio);
  return files
    .filter(({ expectation }) => expectation?.video)
    .map(({ name, path }, size) => ({ name, path, ...(sound && size === 0 && { soundPath: sound.path }) }));
}
