import { languageArguments } from '../../encoding/audio/encode-audio.ts';
import { packagingArguments } from '../../encoding/ladder/packaging.ts';
import { declaredBitrateArguments, type SegmentingOptions } from '../../encoding/ladder/segmenting.ts';
import { dropOtherStreams } from '../../encoding/outputs.ts';
import type { Command } from '../../media/ffmpeg/command.ts';
import type { Chunk } from '../plan/chunk.ts';
import { remoteInput } from './chunk-source.ts';
import { concatInput, type JoinRequest, joinedDuration } from './join-command.ts';

export type PackagedJoinRequest = Pick<JoinRequest, 'audio' | 'areRemote'> & {
  segmenting: SegmentingOptions;
  /** The chunks of each size, and where their files lie. */
  sizes: readonly { chunk: Chunk; path: string }[][];
  audioBitrateKbps: number;
  /** Where the finished files go. */
  directory: string;
};

/** Joins the chunks of all sizes at once, and packs them with the sound as one pass does, and encodes nothing. */
export function packageCommand(packaging: PackagedJoinRequest): Command {
  const { segmenting, sizes, audio, areRemote = false, audioBitrateKbps, directory } = packaging;
  const { segmentSeconds } = segmenting;
  return {
    inputs: [
      ...sizes.map((chunks) => concatInput(chunks, { areRemote })),
      ...(audio ? [{ path: audio.path, isTrusted: true, ...remoteInput({ isRemote: areRemote }) }] : []),
    ],
    outputArguments: [
      ...sizes.flatMap((_, size) => ['-map', `${size}:v:0`]),
      ...['-c:v', 'copy'],
      // What is announced is a setting of the encoder, which is none here, and goes into the playlists all the same.
      ...sizes.flatMap((_, size) => declaredBitrateArguments({ segmenting, size, specifier: `:v:${size}` })),
      ...(audio ? ['-map', `${sizes.length}:a:0`, '-c:a', 'copy', '-b:a', `${audioBitrateKbps}k`] : []),
      ...(audio ? languageArguments(audio.stream) : []),
      ...dropOtherStreams,
      ...packagingArguments({ directory, segmentSeconds, hasAudio: audio !== undefined }),
    ],
    ...joinedDuration(sizes[0] ?? []),
  };
}
