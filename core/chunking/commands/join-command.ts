import { languageArguments } from '../../encoding/audio/encode-audio.ts';
import { dropOtherStreams } from '../../encoding/outputs.ts';
import { codecTagArguments, type VideoCodec } from '../../media/codecs/video-codecs.ts';
import { type Command, type CommandInput, concatListInput } from '../../media/ffmpeg/command.ts';
import { containerArguments, type VideoFormat } from '../../media/formats.ts';
import type { AudioStream } from '../../media/probe/probe.ts';
import type { Chunk } from '../plan/chunk.ts';
import { remoteInput } from './chunk-source.ts';

export type JoinRequest = {
  format: VideoFormat;
  codec: VideoCodec;
  /** Each chunk, and where its file lies. */
  chunks: readonly { chunk: Chunk; path: string }[];
  /** The sound's file; left out where there is none. */
  audio?: { stream: AudioStream; path: string };
  /** Chunks and sound are objects behind a door. */
  areRemote?: boolean;
  /** Where the finished file goes. */
  path: string;
};

/** Writes chunks one after the other, and the sound beside them, into one file, and encodes nothing. */
export function joinCommand({ format, codec, chunks, audio, areRemote = false, path }: JoinRequest): Command {
  return {
    inputs: [
      concatInput(chunks, { areRemote }),
      ...(audio ? [{ path: audio.path, isTrusted: true, ...remoteInput({ isRemote: areRemote }) }] : []),
    ],
    outputArguments: [
      ...['-map', '0:v:0', '-c:v', 'copy', ...codecTagArguments(codec, format)],
      ...(audio ? ['-map', '1:a:0', '-c:a', 'copy', ...languageArguments(audio.stream)] : []),
      ...dropOtherStreams,
      ...containerArguments(format),
      path,
    ],
    ...joinedDuration(chunks),
  };
}

/** Chunks as one picture. All inputs keep their times: each would be moved to 0 by itself, however late it begins. */
export function concatInput(
  chunks: JoinRequest['chunks'],
  { areRemote }: { areRemote: boolean },
): CommandInput {
  const picture = concatListInput(filesOf(chunks), { areRemote });
  const late = (chunks[0]?.chunk.startSeconds ?? 0).toFixed(6);
  return { ...picture, options: ['-copyts', '-itsoffset', late, ...(picture.options ?? [])] };
}

/** When the last of them ends. */
export function joinedDuration(chunks: JoinRequest['chunks']): Pick<Command, 'durationSeconds'> {
  const last = chunks.at(-1)?.chunk;
  return last ? { durationSeconds: last.startSeconds + last.durationSeconds } : {};
}

/** Lengths are written in microseconds: rounded one by one, they would drift apart from the times. */
function filesOf(chunks: JoinRequest['chunks']): { path: string; seconds: number }[] {
  const rounded = (seconds: number) => Math.round(seconds * 1e6);
  return chunks.map(({ chunk: { startSeconds, durationSeconds }, path }) => ({
    path,
    seconds: (rounded(startSeconds + durationSeconds) - rounded(startSeconds)) / 1e6,
  }));
}
