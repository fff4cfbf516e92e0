/** The names of the files of a set, and which of them reference which. */

import { shortenName } from './references.ts';

/** Seven sizes in each of three codecs, and 63 audio tracks of an input of 64 streams. Their numbers have two digits. */
const maxStreams = 84;
export const maxSubtitles = 30;
export const maxSheets = 50;
export const maxTiles = 2000;

/** Segments or keyframes of one playlist: eleven hours of 2 s. */
export const maxSegments = 20_000;

export const hlsFile = 'hls.m3u8';
export const dashFile = 'dash.mpd';
export const cueFile = 'sprite.vtt';

/** The files of the video or audio track with this number, from 0. */
export const mediaFile = (number: number) => `stream_${number}.mp4`;
export const playlistFile = (number: number) => `media_${number}.m3u8`;
export const keyframesFile = (number: number) => `keyframes_${number}.m3u8`;

/** The files of the subtitle track with this number, from 0: the whole document, its segments and their playlist. */
export const subtitleFile = (number: number) => `subtitles_${number}.vtt`;
export const subtitleSegmentsFile = (number: number) => `subtitle_segments_${number}.vtt`;
export const subtitlePlaylistFile = (number: number) => `subtitles_${number}.m3u8`;

/** The name of a sheet of a sprite, without its extension. `index` counts from 0. */
export const sheetName = (index: number) => `sprite-${String(index + 1).padStart(3, '0')}`;

type ReferenceRule = {
  file: RegExp;
  /** The names that the file may contain. */
  names: RegExp;
  maxNames: number;
  /** Each occurrence becomes a name with the query of the playlist's URL. */
  maxOccurrences: number;
};

/** Matches the playlists of single tracks, which a master playlist names. */
export const streamPlaylistPattern = /^(media|keyframes|subtitles)_\d{1,2}\.m3u8$/;

// Playlists of segments and of keyframes, and the audio-only variant, which names a playlist again.
const maxPlaylists = 2 * maxStreams + maxSubtitles;

const rules: readonly ReferenceRule[] = [
  { file: /^hls\.m3u8$/, names: streamPlaylistPattern, maxNames: maxPlaylists, maxOccurrences: maxPlaylists + 1 },
  {
    file: /^(media|keyframes)_\d{1,2}\.m3u8$/,
    names: /^stream_\d{1,2}\.mp4$/,
    maxNames: 1,
    maxOccurrences: maxSegments + 1,
  },
  {
    file: /^subtitles_\d{1,2}\.m3u8$/,
    names: /^subtitle_segments_\d{1,2}\.vtt$/,
    maxNames: 1,
    maxOccurrences: maxSegments,
  },
  {
    file: /^dash\.mpd$/,
    names: /^(stream_\d{1,2}\.mp4|subtitles_\d{1,2}\.vtt)$/,
    maxNames: maxStreams + maxSubtitles,
    maxOccurrences: maxStreams + maxSubtitles,
  },
  { file: /^sprite\.vtt$/, names: /^sprite-\d{3}\.(jpg|webp|png)$/, maxNames: maxSheets, maxOccurrences: maxTiles },
];

export function referencesSet(filename: string): boolean {
  return referencingFilePattern.test(filename);
}

/** Matches the files that reference others. All of them are written by this service. */
export const referencingFilePattern = new RegExp(rules.map(({ file }) => file.source).join('|'));

/** A file of a set names only files of its set, and no more than a set can have. @throws RangeError if not */
export function assertSetReferences(filename: string, occurrences: Iterable<string>): void {
  const rule = rules.find(({ file }) => file.test(filename));
  if (rule === undefined) throw new RangeError(`${filename} does not reference files`);
  const names = new Set<string>();
  let count = 0;
  for (const name of occurrences) {
    if (!rule.names.test(name))
      throw new RangeError(`${filename} names ${shortenName(name)}, which is no file of its set`);
    names.add(name);
    count += 1;
    if (names.size > rule.maxNames || count > rule.maxOccurrences) {
      throw new RangeError(`${filename} names more files than a set has`);
    }
  }
}
