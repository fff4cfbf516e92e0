import type { Command } from '../media/command.ts';
import { onlyThese } from '../recipes/outputs.ts';
import { packagingArguments } from '../recipes/packaging.ts';
import { languageArguments } from '../recipes/sound.ts';
import { announcedRateArguments, type Streamed } from '../recipes/streamed.ts';
import type { Chunk } from './chunk.ts';
import { cameFrom } from './chunk-source.ts';
import { endSeconds, type Join, pictureInput } from './join-command.ts';

export type Packaging = Pick<Join, 'sound' | 'areStored'> & {
  streamed: Streamed;
  /** The chunks of each size, and where their files lie. */
  sizes: readonly { chunk: Chunk; path: string }[][];
  audioBitrateKbps: number;
  /** Where the finished files go. */
  directory: string;
};

/** Joins the chunks of all sizes at once, and packs them with the sound as one pass does, and encodes nothing. */
export function packageCommand(packaging: Packaging): Command {
  const { streamed, sizes, sound, areStored = false, audioBitrateKbps, directory } = packaging;
  const { segmentSeconds } = streamed;
  return {
    inputs: [
      ...sizes.map((chunks) => pictureInput(chunks, { areStored })),
      ...(sound ? [{ path: sound.path, isOurs: true, ...cameFrom({ isStored: areStored }) }] : []),
    ],
    outputArguments: [
      ...sizes.flatMap((_, size) => ['-map', `${size}:v:0`]),
      ...['-c:v', 'copy'],
      // What is announced is a setting of the encoder, which is none here, and goes into the playlists all the same.
      ...sizes.flatMap((_, size) => announcedRateArguments({ streamed, size, specifier: `:v:${size}` })),
      ...(sound ? ['-map', `${sizes.length}:a:0`, '-c:a', 'copy', '-b:a', `${audioBitrateKbps}k`] : []),
      ...(sound ? languageArguments(sound.audio) : []),
      ...onlyThese,
      ...packagingArguments({ directory, segmentSeconds, hasSound: sound !== undefined }),
    ],
    ...endSeconds(sizes[0] ?? []),
  };
}
