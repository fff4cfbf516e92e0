/** The names of the files of a set, and which of them reference which. */

/** Renditions and the audio of one stream: the ladder has at most six sizes. */
export const maxStreams = 7;
export const maxSheets = 50;
export const maxTiles = 2000;

/** Segments of one playlist: eleven hours of the shortest. */
const maxSegments = 20_000;

export const hlsFile = 'hls.m3u8';
export const dashFile = 'dash.mpd';
export const cueFile = 'sprite.vtt';

/** The playlist of one stream. ffmpeg's dash muxer has no option for this name; its number is that of the media file. */
export const playlistFile = (index: number) => `media_${index}.m3u8`;
export const mediaFile = (index: number | string) => `stream_${index}.mp4`;

/** The name of a sheet of a sprite, without its extension. `index` counts from 0. */
export const sheetName = (index: number) => `sprite-${String(index + 1).padStart(3, '0')}`;

type ReferenceRule = {
  file: RegExp;
  /** The names that the file may contain. */
  names: RegExp;
  maxNames: number;
  /** Each occurrence becomes a signed URL of up to 2 KB. */
  maxOccurrences: number;
};

const rules: readonly ReferenceRule[] = [
  { file: /^hls\.m3u8$/, names: /^media_\d\.m3u8$/, maxNames: maxStreams, maxOccurrences: 2 * maxStreams },
  { file: /^media_\d\.m3u8$/, names: /^stream_\d\.mp4$/, maxNames: 1, maxOccurrences: maxSegments + 1 },
  { file: /^dash\.mpd$/, names: /^stream_\d\.mp4$/, maxNames: maxStreams, maxOccurrences: maxStreams },
  {
    file: /^sprite\.vtt$/,
    names: /^sprite-\d{3}\.(jpg|webp|png)$/,
    maxNames: maxSheets,
    maxOccurrences: maxTiles,
  },
];

/** Matches the files that reference others. All of them are written by this service. */
export const referencingFilePattern = new RegExp(rules.map(({ file }) => file.source).join('|'));

/**
 * Checks that a file of a set names only files of its set, and no more than a set can have.
 * @throws RangeError if not
 */
export function assertSetReferences(filename: string, occurrences: Iterable<string>): void {
  const rule = rules.find(({ file }) => file.test(filename));
  if (rule === undefined) throw new RangeError(`${filename} does not reference files`);
  const names = new Set<string>();
  let count = 0;
  for (const name of occurrences) {
    if (!rule.names.test(name))
      throw new RangeError(`${filename} names ${name}, which is no file of its set`);
    names.add(name);
    count += 1;
    if (names.size > rule.maxNames || count > rule.maxOccurrences) {
      throw new RangeError(`${filename} names more files than a set has`);
    }
  }
}
