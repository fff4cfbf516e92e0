import { Parser } from 'm3u8-parser';
import { parse } from 'mpd-parser';

/** A byte range of a file. */
export type FileRange = { file: string; offset: number; length: number };

/** One stream as a playlist describes it: the initialization section, then the segments. */
export type ManifestStream = { initSection: FileRange; segments: (FileRange & { seconds?: number })[] };

/** A media playlist of HLS, read as players do. */
export function readMediaPlaylist(text: string): ManifestStream {
  const { segments, endList } = readHls(text);
  const [first] = segments;
  if (!first || !endList) throw new Error(`Expected a media playlist with segments and an end: ${text}`);
  return {
    initSection: { file: first.map.uri, ...first.map.byterange },
    segments: segments.map(({ uri, duration, byterange }) => ({ file: uri, seconds: duration, ...byterange })),
  };
}

/** The variants of an HLS master playlist: those with video, the audio alone, and the audio tracks by their names. */
export function readMasterPlaylist(text: string) {
  const { playlists = [], mediaGroups, iFramePlaylists = [] } = readHls(text);
  const variants = playlists.map(({ uri, attributes }) => ({
    playlist: uri,
    bitsPerSecond: attributes.BANDWIDTH,
    codecs: attributes.CODECS.split(','),
    averageBitsPerSecond: Number(attributes['AVERAGE-BANDWIDTH']),
    framesPerSecond: Number(attributes['FRAME-RATE']),
    captions: attributes['CLOSED-CAPTIONS'],
    ...attributes.RESOLUTION,
  }));
  const audios = Object.values(mediaGroups.AUDIO).flatMap((group) => Object.entries(group));
  const subtitles = Object.values(mediaGroups.SUBTITLES).flatMap((group) => Object.entries(group));
  return {
    sizes: variants.filter(({ width }) => width !== undefined),
    audioOnly: variants.filter(({ width }) => width === undefined),
    defaultAudio: audios.find(([, { default: isDefault }]) => isDefault)?.[1].uri,
    audios: Object.fromEntries(audios),
    subtitles: Object.fromEntries(subtitles),
    keyframes: iFramePlaylists.map(({ uri, attributes }) => ({
      playlist: uri,
      bitsPerSecond: attributes.BANDWIDTH,
      ...attributes.RESOLUTION,
    })),
  };
}

/** One representation of DASH's on-demand profile, as its manifest describes it. */
export type DashStream = { file: string; codecs: string; bitsPerSecond: number; index: FileRange };

/** The video and audio streams of a DASH manifest. */
export function readDash(text: string): {
  seconds: number;
  videos: DashStream[];
  audios: (DashStream & { language: string })[];
} {
  const base = 'https://media.example/';
  const { duration, playlists, mediaGroups } = parse(text, { manifestUri: `${base}dash.mpd` });
  const streamOf = ({ attributes, sidx }: (typeof playlists)[number]): DashStream => {
    const file = sidx.resolvedUri.replace(base, '');
    const { BANDWIDTH: bitsPerSecond, CODECS: codecs } = attributes;
    return { file, codecs, bitsPerSecond, index: { file, ...sidx.byterange } };
  };
  const audios = Object.values(mediaGroups.AUDIO.audio ?? {}).flatMap(({ language, playlists: list }) =>
    list.map((each) => ({ ...streamOf(each), language })),
  );
  return { seconds: duration, videos: playlists.map(streamOf), audios };
}

/** The fragments that a segment index box lists (ISO/IEC 14496-12, section 8.16.3), from the byte after it. */
export function readSegmentIndex(box: Buffer, from: number): { offset: number; length: number; seconds: number }[] {
  const ticksPerSecond = box.readUInt32BE(16);
  const count = box.readUInt16BE(box[8] === 0 ? 30 : 38);
  let offset = from;
  return Array.from({ length: count }, (_, entry) => {
    const at = (box[8] === 0 ? 32 : 40) + 12 * entry;
    const [length, ticks] = [box.readUInt32BE(at), box.readUInt32BE(at + 4)];
    offset += length;
    return { offset: offset - length, length, seconds: ticks / ticksPerSecond };
  });
}

function readHls(text: string) {
  const parser = new Parser();
  parser.push(text);
  parser.end();
  return parser.manifest;
}
