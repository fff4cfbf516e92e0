import { type Encoding, isLadderEncoding, outputSizes } from '../../encoding/encoding.ts';
import type { PlannedOutput } from '../../encoding/plan.ts';
import type { Command } from '../../media/ffmpeg/command.ts';
import type { VideoFormat } from '../../media/formats.ts';
import type { AudioStream } from '../../media/probe/probe.ts';
import type { Chunk } from '../plan/chunk.ts';
import { joinCommand } from './join-command.ts';
import { packageCommand } from './package-command.ts';

/** A finished file with a picture of one size. */
export type JoinedVideo = {
  /** Of the output. */
  name: string;
  path: string;
  /** The file that has its sound; left out where there is none, or where another picture brings it. */
  audioPath?: string;
};

export type JoinCommands = {
  commands: Command[];
  /** What they make, by size. */
  videos: JoinedVideo[];
};

export type JoinableWork = {
  format: VideoFormat;
  encoding: Encoding;
  chunks: readonly Chunk[];
  outputs: readonly PlannedOutput[];
  /** The track that was encoded; left out where the output is silent. */
  audio?: AudioStream | undefined;
};

export type JoinPaths = {
  /** Where the file of a chunk in a size lies, each by its number. */
  chunkPath: (chunk: number, size: number) => string;
  audioPath: () => string;
  /** Those are addresses of objects behind a door. */
  areRemote?: boolean;
  /** Where the finished files go. */
  directory: string;
};

/** The commands that make all outputs of the parts of an encoding, and encode nothing. */
export function joinCommands(
  { format, encoding, chunks, outputs, audio }: JoinableWork,
  { chunkPath, audioPath, areRemote = false, directory }: JoinPaths,
): JoinCommands {
  const sizes = outputSizes(encoding).map((_, size) =>
    chunks.map((chunk, index) => ({ chunk, path: chunkPath(index, size) })),
  );
  const encodedAudio = audio && { stream: audio, path: audioPath() };
  const parts = { areRemote, ...(encodedAudio && { audio: encodedAudio }) };
  const files = outputs.map((output) => ({ ...output, path: `${directory}/${output.filename}` }));
  if (isLadderEncoding(encoding) && encoding.segmenting !== undefined) {
    const { segmenting, audioBitrateKbps } = encoding;
    return {
      commands: [packageCommand({ ...parts, segmenting, sizes, audioBitrateKbps, directory })],
      videos: packagedVideos(files),
    };
  }
  const { codec } = encoding;
  return {
    commands: files.map(({ path }, size) =>
      joinCommand({ ...parts, format, codec, chunks: sizes[size] ?? [], path }),
    ),
    videos: files.map(({ name, path }) => ({ name, path, ...(encodedAudio && { audioPath: path }) })),
  };
}

type File = Pick<PlannedOutput, 'name' | 'expectation'> & { path: string };

/** Each size has a file, and the sound one of its own; the others are playlists. */
function packagedVideos(files: readonly File[]): JoinedVideo[] {
  const sound = files.find(({ expectation }) => expectation?.audio);
  return files
    .filter(({ expectation }) => expectation?.video)
    .map(({ name, path }, size) => ({ name, path, ...(sound && size === 0 && { audioPath: sound.path }) }));
}
