import { Parser } from 'm3u8-parser';
import { parse } from 'mpd-parser';

/** A part of a file: its first byte, and how many there are. */
export type FileRange = { file: string; offset: number; length: number };

/** One stream as a playlist describes it: what a player loads before it, and then piece by piece. */
export type ManifestStream = { beginning: FileRange; segments: (FileRange & { seconds?: number })[] };

/** A media playlist of HLS, read as players do. */
export function readMediaPlaylist(text: string): ManifestStream {
  const { segments, endList } = readHls(text);
  const [first] = segments;
  if (!first || !endList) throw new Error(`This is no finished media playlist: ${text}`);
  return {
    beginning: { file: first.map.uri, ...first.map.byterange },
    segments: segments.map(({ uri, duration, byterange }) => ({
      file: uri,
      seconds: duration,
      ...byterange,
    })),
  };
}

/** The sizes that a master playlist of HLS offers, and the playlist of its sound. */
export function readMasterPlaylist(text: string) {
  const { playlists = [], mediaGroups } = readHls(text);
  const sound = Object.values(mediaGroups.AUDIO).flatMap((group) => Object.values(group))[0]?.uri;
  const sizes = playlists.map(({ uri, attributes }) => ({
    playlist: uri,
    bitsPerSecond: attributes.BANDWIDTH,
    codecs: attributes.CODECS.split(','),
    averageBitsPerSecond: Number(attributes['AVERAGE-BANDWIDTH']),
    framesPerSecond: Number(attributes['FRAME-RATE']),
    ...attributes.RESOLUTION,
  }));
  return { sizes, sound };
}

/** All streams of a DASH manifest, pictures first. */
export function readDash(text: string): {
  seconds: number;
  pictures: ManifestStream[];
  sounds: ManifestStream[];
} {
  const base = 'https://media.example/';
  const { duration, playlists, mediaGroups } = parse(text, { manifestUri: `${base}dash.mpd` });
  const streamOf = ({ segments }: (typeof playlists)[number]): ManifestStream => {
    const pieces = segments.map(({ resolvedUri, duration: seconds, byterange }) => ({
      file: resolvedUri.replace(base, ''),
      seconds,
      ...byterange,
    }));
    const [first] = segments;
    if (!first) throw new Error('A representation has no segments');
    return {
      beginning: { file: first.resolvedUri.replace(base, ''), ...first.map.byterange },
      segments: pieces,
    };
  };
  const sounds = Object.values(mediaGroups.AUDIO.audio ?? {}).flatMap((group) => group.playlists);
  return { seconds: duration, pictures: playlists.map(streamOf), sounds: sounds.map(streamOf) };
}

function readHls(text: string) {
  const parser = new Parser();
  parser.push(text);
  parser.end();
  return parser.manifest;
}
