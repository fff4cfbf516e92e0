import { Parser } from 'm3u8-parser';
import { parse } from 'mpd-parser';

/** A byte range of a file. */
export type FileRange = { file: string; offset: number; length: number };

/** One stream as a playlist describes it: the initialization section, then the segments. */
export type ManifestStream = { beginning: FileRange; segments: (FileRange & { seconds?: number })[] };

/** A media playlist of HLS, read as players do. */
export function readMediaPlaylist(text: string): ManifestStream {
  const { segments, endList } = readHls(text);
  const [first] = segments;
  if (!first || !endList) throw new Error(`Expected a media playlist with segments and an end: ${text}`);
  return {
    beginning: { file: first.map.uri, ...first.map.byterange },
    segments: segments.map(({ uri, duration, byterange }) => ({
      file: uri,
      seconds: duration,
      ...byterange,
    })),
  };
}

/** The renditions of an HLS master playlist, and its audio playlist. */
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

/** The video and audio streams of a DASH manifest. */
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
