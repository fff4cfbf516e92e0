import type { Command, CommandInput } from '../media/command.ts';
import { containerArguments, type VideoFormat } from '../media/formats.ts';
import { joinedFiles } from '../media/joined-files.ts';
import type { AudioStream } from '../media/probe.ts';
import { tagArguments, type VideoCodec } from '../media/video-codecs.ts';
import { onlyThese } from '../recipes/outputs.ts';
import { languageArguments } from '../recipes/sound.ts';
import type { Chunk } from './chunk.ts';
import { cameFrom } from './chunk-source.ts';

export type Join = {
  format: VideoFormat;
  codec: VideoCodec;
  /** Each chunk, and where its file lies. */
  chunks: readonly { chunk: Chunk; path: string }[];
  /** The sound's file; left out where there is none. */
  sound?: { audio: AudioStream; path: string };
  /** Chunks and sound are objects behind a door. */
  areStored?: boolean;
  /** Where the finished file goes. */
  path: string;
};

/** Writes chunks one after the other, and the sound beside them, into one file, and encodes nothing. */
export function joinCommand({ format, codec, chunks, sound, areStored = false, path }: Join): Command {
  return {
    inputs: [
      pictureInput(chunks, { areStored }),
      ...(sound ? [{ path: sound.path, isOurs: true, ...cameFrom({ isStored: areStored }) }] : []),
    ],
    outputArguments: [
      ...['-map', '0:v:0', '-c:v', 'copy', ...tagArguments(codec, format)],
      ...(sound ? ['-map', '1:a:0', '-c:a', 'copy', ...languageArguments(sound.audio)] : []),
      ...onlyThese,
      ...containerArguments(format),
      path,
    ],
    ...endSeconds(chunks),
  };
}

/** Chunks as one picture. All inputs keep their times: each would be moved to 0 by itself, however late it begins. */
export function pictureInput(chunks: Join['chunks'], { areStored }: { areStored: boolean }): CommandInput {
  const picture = joinedFiles(filesOf(chunks), { areStored });
  const late = (chunks[0]?.chunk.startSeconds ?? 0).toFixed(6);
  return { ...picture, options: ['-copyts', '-itsoffset', late, ...(picture.options ?? [])] };
}

/** When the last of them ends. */
export function endSeconds(chunks: Join['chunks']): Pick<Command, 'durationSeconds'> {
  const last = chunks.at(-1)?.chunk;
  return last ? { durationSeconds: last.startSeconds + last.seconds } : {};
}

/** Lengths are written in microseconds: rounded one by one, they would drift apart from the times. */
function filesOf(chunks: Join['chunks']): { path: string; seconds: number }[] {
  const rounded = (seconds: number) => Math.round(seconds * 1e6);
  return chunks.map(({ chunk: { startSeconds, seconds }, path }) => ({
    path,
    seconds: (rounded(startSeconds + seconds) - rounded(startSeconds)) / 1e6,
  }));
}
