import type { StreamEncryption } from '../encryption/aes-128.ts';
import type { FragmentedFile } from '../fragments/fragmented-file.ts';
import type {
  Accessibility,
  AudioTrack,
  MeasuredAudio,
  MeasuredSet,
  MeasuredVideo,
  SubtitleTrack,
} from './adaptive-set.ts';
import { type Segment, type SegmentRates, targetDuration } from './segment-rates.ts';
import { keyframesFile, playlistFile, subtitlePlaylistFile } from './set-files.ts';

/** Players start with the first variant: Apple requires the one of about 2 Mbit/s (HLS authoring specification). */
const firstBitsPerSecond = 2_000_000;

/** The master playlist of a measured set (RFC 8216, section 4.3.4). */
export function masterPlaylist(set: MeasuredSet): string {
  const { audios, subtitles, videos } = set;
  return [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    '#EXT-X-INDEPENDENT-SEGMENTS',
    // Players that load the key with this playlist start sooner.
    ...keyTags('EXT-X-SESSION-KEY', set.encryption),
    ...audios.map(audioTag),
    ...subtitles.map(subtitlesTag),
    ...(hasCaptions(set) ? [captionsTag] : []),
    ...inOrder(videos, audios).map((video) => variant(set, video)),
    ...audioOnlyVariant(set),
    ...videos.map(keyframesTag),
    '',
  ].join('\n');
}

/** The variant to start with, then the others from the lowest bit rate to the highest. */
function inOrder(videos: readonly MeasuredVideo[], audios: readonly MeasuredAudio[]): MeasuredVideo[] {
  const sorted = videos.toSorted((one, other) => one.averageBitsPerSecond - other.averageBitsPerSecond);
  const audioBits = maxRates(audios).averageBitsPerSecond;
  const distance = ({ averageBitsPerSecond }: MeasuredVideo) =>
    Math.abs(averageBitsPerSecond + audioBits - firstBitsPerSecond);
  const everywhere = sorted.filter(({ file }) => file.codec.startsWith('avc1'));
  const first = everywhere.toSorted((one, other) => distance(one) - distance(other))[0];
  return first === undefined ? sorted : [first, ...sorted.filter((video) => video !== first)];
}

function variant(set: MeasuredSet, video: MeasuredVideo): string {
  const { width, height, maxFramesPerSecond, file } = video;
  const attributes = attributeList({
    ...variantRates(video, set),
    CODECS: { quoted: [file.codec, ...audioCodecs(set.audios)].join(',') },
    RESOLUTION: `${width}x${height}`,
    'FRAME-RATE': maxFramesPerSecond?.toFixed(3),
    'VIDEO-RANGE': 'SDR',
    ...groups(set),
    'CLOSED-CAPTIONS': hasCaptions(set) ? { quoted: 'captions' } : 'NONE',
  });
  return `#EXT-X-STREAM-INF:${attributes}\n${playlistFile(video.number)}`;
}

/** For connections that carry no video. */
function audioOnlyVariant(set: MeasuredSet): string[] {
  const { audios } = set;
  const audio = audios.find(({ isDefault }) => isDefault);
  if (audio === undefined) return [];
  const attributes = attributeList({
    ...variantRates({ peakBitsPerSecond: 0, averageBitsPerSecond: 0 }, set),
    CODECS: { quoted: audioCodecs(audios).join(',') },
    ...groups(set),
    'CLOSED-CAPTIONS': hasCaptions(set) ? undefined : 'NONE',
  });
  return [`#EXT-X-STREAM-INF:${attributes}\n${playlistFile(audio.number)}`];
}

/** The largest combination of the video, an audio track and subtitles that a player may choose (RFC 8216, section 4.3.4.2). */
function variantRates(video: SegmentRates, { audios, subtitles }: MeasuredSet): Attributes {
  const chosen = [video, maxRates(audios), maxRates(subtitles)];
  return {
    BANDWIDTH: Math.ceil(sumOf(chosen, 'peakBitsPerSecond')),
    'AVERAGE-BANDWIDTH': Math.ceil(sumOf(chosen, 'averageBitsPerSecond')),
  };
}

function sumOf(tracks: readonly SegmentRates[], rate: keyof SegmentRates): number {
  return tracks.reduce((sum, track) => sum + track[rate], 0);
}

function maxRates(tracks: readonly SegmentRates[]): SegmentRates {
  return {
    peakBitsPerSecond: Math.max(0, ...tracks.map((each) => each.peakBitsPerSecond)),
    averageBitsPerSecond: Math.max(0, ...tracks.map((each) => each.averageBitsPerSecond)),
  };
}

function audioCodecs(audios: readonly MeasuredAudio[]): string[] {
  return [...new Set(audios.map(({ file }) => file.codec))];
}

function groups({ audios, subtitles }: MeasuredSet): Attributes {
  return {
    AUDIO: audios.length === 0 ? undefined : { quoted: 'audio' },
    SUBTITLES: subtitles.length === 0 ? undefined : { quoted: 'subtitles' },
  };
}

function audioTag(track: AudioTrack): string {
  const attributes = attributeList({
    TYPE: 'AUDIO',
    'GROUP-ID': { quoted: 'audio' },
    ...spoken(track),
    DEFAULT: yesNo(track.isDefault),
    AUTOSELECT: yesNo(track.isAutoselect),
    CHARACTERISTICS: characteristics(track),
    CHANNELS: { quoted: String(track.channels) },
    URI: { quoted: playlistFile(track.number) },
  });
  return `#EXT-X-MEDIA:${attributes}`;
}

function subtitlesTag(track: SubtitleTrack): string {
  const attributes = attributeList({
    TYPE: 'SUBTITLES',
    'GROUP-ID': { quoted: 'subtitles' },
    ...spoken(track),
    DEFAULT: 'NO',
    AUTOSELECT: yesNo(track.isAutoselect),
    FORCED: yesNo(track.isForced),
    CHARACTERISTICS: characteristics(track),
    URI: { quoted: subtitlePlaylistFile(track.number) },
  });
  return `#EXT-X-MEDIA:${attributes}`;
}

const captionsTag = `#EXT-X-MEDIA:${attributeList({
  TYPE: 'CLOSED-CAPTIONS',
  'GROUP-ID': { quoted: 'captions' },
  NAME: { quoted: 'CC1' },
  DEFAULT: 'NO',
  AUTOSELECT: 'YES',
  'INSTREAM-ID': { quoted: 'CC1' },
})}`;

/** Either all variants have captions or none (RFC 8216, section 4.3.4.2). */
function hasCaptions({ videos }: MeasuredSet): boolean {
  return videos.every((video) => video.hasCaptions);
}

function spoken({ language, name }: AudioTrack | SubtitleTrack): Attributes {
  return { NAME: { quoted: name }, LANGUAGE: language === undefined ? undefined : { quoted: language } };
}

/** By RFC 8216, section 4.3.4.1: devices of viewers who want them choose tracks by these. */
const characteristicsOf: Record<Accessibility, string> = {
  description: 'public.accessibility.describes-video',
  caption: 'public.accessibility.transcribes-spoken-dialog,public.accessibility.describes-music-and-sound',
};

function characteristics({ accessibility }: AudioTrack | SubtitleTrack): Attributes[string] {
  return accessibility && { quoted: characteristicsOf[accessibility] };
}

function keyframesTag({ number, width, height, file, keyframeRates }: MeasuredVideo): string {
  const { peakBitsPerSecond, averageBitsPerSecond } = keyframeRates;
  const attributes = attributeList({
    BANDWIDTH: Math.ceil(peakBitsPerSecond),
    'AVERAGE-BANDWIDTH': Math.ceil(averageBitsPerSecond),
    CODECS: { quoted: file.codec },
    RESOLUTION: `${width}x${height}`,
    'VIDEO-RANGE': 'SDR',
    URI: { quoted: keyframesFile(number) },
  });
  return `#EXT-X-I-FRAME-STREAM-INF:${attributes}`;
}

function yesNo(value: boolean): string {
  return value ? 'YES' : 'NO';
}

type MediaPlaylist = {
  filename: string;
  /** Default: of its own segments. */
  targetSeconds?: number;
  /** Of a fragmented MP4. Without it, the segments are WebVTT documents that follow one another. */
  init?: Pick<FragmentedFile, 'initBytes'>;
  segments: readonly Segment[];
  /** The segments are single keyframes (section 4.3.3.6), from which players show previews while seeking. */
  areKeyframes?: boolean;
  encryption: StreamEncryption | undefined;
};

// EXT-X-MAP without EXT-X-I-FRAMES-ONLY needs 6 (RFC 8216, section 7); 7 is what packagers declare for fragmented MP4.
const version = 7;

/** A media playlist of byte ranges of one file (RFC 8216, section 4.3.2.2). */
export function mediaPlaylist({
  filename,
  init,
  segments,
  encryption,
  targetSeconds = targetDuration(segments),
  areKeyframes = false,
}: MediaPlaylist): string {
  return [
    '#EXTM3U',
    `#EXT-X-VERSION:${version}`,
    `#EXT-X-TARGETDURATION:${targetSeconds}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    ...(areKeyframes ? ['#EXT-X-I-FRAMES-ONLY'] : []),
    // Ahead of the key, which applies to what follows it: the initialization section has no media and stays readable.
    ...(init ? [`#EXT-X-MAP:URI="${filename}",BYTERANGE="${init.initBytes}@0"`] : []),
    ...keyTags('EXT-X-KEY', encryption),
    ...segments.flatMap(({ offset, sizeBytes, seconds }) => [
      `#EXTINF:${seconds.toFixed(6)},`,
      `#EXT-X-BYTERANGE:${sizeBytes}@${offset}`,
      filename,
    ]),
    '#EXT-X-ENDLIST',
    '',
  ].join('\n');
}

/** A value in quotes, or one that stands bare. Undefined: the attribute is left out. */
export type Attributes = Record<string, { quoted: string } | string | number | undefined>;

/** The attributes of a tag (RFC 8216, section 4.2). */
function attributeList(attributes: Attributes): string {
  return Object.entries(attributes)
    .flatMap(([name, value]) => {
      if (value === undefined) return [];
      return typeof value === 'object' ? `${name}="${value.quoted}"` : `${name}=${value}`;
    })
    .join(',');
}

/** The tag that tells players how segments are encrypted (RFC 8216, sections 4.3.2.4 and 4.3.4.5); none for clear ones. */
function keyTags(tag: 'EXT-X-KEY' | 'EXT-X-SESSION-KEY', encryption: StreamEncryption | undefined): string[] {
  if (encryption === undefined) return [];
  const { iv, keyUri } = encryption;
  const attributes = attributeList({
    METHOD: 'AES-128',
    URI: { quoted: keyUri },
    IV: iv === undefined ? undefined : `0x${iv}`,
  });
  return [`#${tag}:${attributes}`];
}
