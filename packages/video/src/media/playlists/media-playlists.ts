import type { StreamEncryption } from '../encryption/aes-128.ts';
import type { FragmentedFile } from '../fragments/fragmented-file.ts';
import { type Segment, targetDuration } from './segment-rates.ts';

type MediaPlaylist = {
  filename: string;
  /** Default: of its own segments. */
  targetSeconds?: number;
  init: Pick<FragmentedFile, 'initBytes'>;
  segments: readonly Segment[];
  encryption: StreamEncryption | undefined;
};

// EXT-X-MAP without EXT-X-I-FRAMES-ONLY needs 6 (RFC 8216, section 7); 7 is what packagers declare for fragmented MP4.
const version = 7;

/** A media playlist of byte ranges of one fragmented MP4 (RFC 8216, section 4.3.2.2), with the target duration of all. */
export function segmentPlaylist(playlist: MediaPlaylist & { targetSeconds: number }): string {
  return mediaPlaylist([], playlist);
}

/** A playlist whose segments are single keyframes (section 4.3.3.6), from which players show previews while seeking. */
export function keyframePlaylist(playlist: Omit<MediaPlaylist, 'targetSeconds'>): string {
  return mediaPlaylist(['#EXT-X-I-FRAMES-ONLY'], playlist);
}

/** A media playlist of WebVTT documents that follow one another in one file. */
export function subtitlePlaylist({
  filename,
  segments,
  encryption,
}: Omit<MediaPlaylist, 'init' | 'targetSeconds'>): string {
  return lines([
    ...headerOf([], targetDuration(segments)),
    ...keyTags('EXT-X-KEY', encryption),
    ...segmentLines(filename, segments),
  ]);
}

/** A value in quotes, or one that stands bare. Undefined: the attribute is left out. */
export type Attributes = Record<string, { quoted: string } | string | number | undefined>;

/** The attributes of a tag (RFC 8216, section 4.2). */
export function attributeList(attributes: Attributes): string {
  return Object.entries(attributes)
    .flatMap(([name, value]) => {
      if (value === undefined) return [];
      return typeof value === 'object' ? `${name}="${value.quoted}"` : `${name}=${value}`;
    })
    .join(',');
}

/** The tag that tells players how segments are encrypted (RFC 8216, sections 4.3.2.4 and 4.3.4.5); none for clear ones. */
export function keyTags(tag: 'EXT-X-KEY' | 'EXT-X-SESSION-KEY', encryption: StreamEncryption | undefined): string[] {
  if (encryption === undefined) return [];
  const { iv, keyUri } = encryption;
  const attributes = attributeList({
    METHOD: 'AES-128',
    URI: { quoted: keyUri },
    IV: iv === undefined ? undefined : `0x${iv}`,
  });
  return [`#${tag}:${attributes}`];
}

function mediaPlaylist(
  tags: readonly string[],
  { filename, init, segments, encryption, targetSeconds = targetDuration(segments) }: MediaPlaylist,
): string {
  return lines([
    ...headerOf(tags, targetSeconds),
    // Ahead of the key, which applies to what follows it: the initialization section has no media and stays readable.
    `#EXT-X-MAP:URI="${filename}",BYTERANGE="${init.initBytes}@0"`,
    ...keyTags('EXT-X-KEY', encryption),
    ...segmentLines(filename, segments),
  ]);
}

function headerOf(tags: readonly string[], targetSeconds: number): string[] {
  return [
    '#EXTM3U',
    `#EXT-X-VERSION:${version}`,
    `#EXT-X-TARGETDURATION:${targetSeconds}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    ...tags,
  ];
}

function segmentLines(filename: string, segments: readonly Segment[]): string[] {
  return segments.flatMap(({ offset, sizeBytes, seconds }) => [
    `#EXTINF:${seconds.toFixed(6)},`,
    `#EXT-X-BYTERANGE:${sizeBytes}@${offset}`,
    filename,
  ]);
}

function lines(list: readonly string[]): string {
  return [...list, '#EXT-X-ENDLIST', ''].join('\n');
}
