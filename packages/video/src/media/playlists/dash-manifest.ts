import { Element } from 'ltx';
import { exactRate } from '../frame-rate.ts';
import {
  type Accessibility,
  durationOf,
  type MeasuredAudio,
  type MeasuredSet,
  type MeasuredSubtitles,
  type MeasuredVideo,
} from './adaptive-set.ts';
import { mediaFile, subtitleFile } from './set-files.ts';

const scheme = {
  role: 'urn:mpeg:dash:role:2011',
  captions: 'urn:scte:dash:cc:cea-608:2015',
  purpose: 'urn:tva:metadata:cs:AudioPurposeCS:2007',
  channels: 'urn:mpeg:mpegB:cicp:ChannelConfiguration',
} as const;

/**
 * The manifest of a measured set by the on-demand profile (ISO/IEC 23009-1, section 8.3): one file per representation,
 * whose index box tells players the byte ranges of its segments.
 */
export function dashManifest(set: MeasuredSet): string {
  const { videos, audios, subtitles } = set;
  const seconds = Math.max(...[...videos, ...audios].map(durationOf));
  const maxFragmentSeconds = maxSeconds([...videos, ...audios].map(({ file }) => file.fragments));
  const sets = [...byCodec(videos).map(videoSet), ...audios.map(audioSet), ...subtitles.map(subtitleSet)];
  for (const [id, set] of sets.entries()) set.setAttrs({ id: String(id) });
  const manifest = element(
    'MPD',
    {
      xmlns: 'urn:mpeg:dash:schema:mpd:2011',
      profiles: 'urn:mpeg:dash:profile:isoff-on-demand:2011',
      type: 'static',
      mediaPresentationDuration: duration(seconds),
      maxSubsegmentDuration: duration(maxFragmentSeconds),
      minBufferTime: duration(set.bufferSeconds),
    },
    element('Period', { id: '0', start: 'PT0S', duration: duration(seconds) }, ...sets),
  );
  return `<?xml version="1.0" encoding="utf-8"?>\n${manifest.toString()}\n`;
}

/** Of all tracks together: hours of many sizes have more fragments than a function takes arguments. */
function maxSeconds(tracks: readonly (readonly { seconds: number }[])[]): number {
  const maxOf = (ranges: readonly { seconds: number }[]) =>
    ranges.reduce((max, { seconds }) => Math.max(max, seconds), 0);
  return Math.max(...tracks.map(maxOf));
}

/** Players switch only between representations of one codec. */
function byCodec(videos: readonly MeasuredVideo[]): MeasuredVideo[][] {
  const sets = Map.groupBy(videos, ({ file }) => file.codec.split('.')[0]);
  return [...sets.values()];
}

const subsegments = { subsegmentAlignment: 'true', subsegmentStartsWithSAP: '1' };

function videoSet(videos: readonly MeasuredVideo[]): Element {
  const representations = videos.map((video) => {
    const { name, width, height, framesPerSecond } = video;
    return representation(name, video, {
      width: String(width),
      height: String(height),
      sar: '1:1',
      ...(framesPerSecond === undefined ? {} : { frameRate: frameRate(framesPerSecond) }),
    });
  });
  const attributes = { contentType: 'video', mimeType: 'video/mp4', ...subsegments };
  const captions = videos.every(({ hasCaptions }) => hasCaptions)
    ? [element('Accessibility', { schemeIdUri: scheme.captions })]
    : [];
  return element('AdaptationSet', attributes, ...captions, role('main'), ...representations);
}

function audioSet(audio: MeasuredAudio): Element {
  const { number, name, language, isDefault, channels, sampleRateHz, accessibility } = audio;
  const attributes = { contentType: 'audio', mimeType: 'audio/mp4', ...languageOf(language), ...subsegments };
  return element(
    'AdaptationSet',
    attributes,
    new Element('Label').t(name),
    ...purpose(accessibility),
    role(isDefault ? 'main' : 'alternate'),
    ...(accessibility ? [role(accessibility)] : []),
    representation(
      `audio-${number}`,
      audio,
      { audioSamplingRate: String(sampleRateHz) },
      element('AudioChannelConfiguration', { schemeIdUri: scheme.channels, value: String(channels) }),
    ),
  );
}

function subtitleSet(subtitles: MeasuredSubtitles): Element {
  const { number, name, language, isForced, accessibility, peakBitsPerSecond } = subtitles;
  const attributes = { contentType: 'text', mimeType: 'text/vtt', ...languageOf(language) };
  return element(
    'AdaptationSet',
    attributes,
    new Element('Label').t(name),
    ...purpose(accessibility),
    role(isForced ? 'forced-subtitle' : (accessibility ?? 'subtitle')),
    element(
      'Representation',
      { id: `subtitles-${number}`, bandwidth: String(Math.ceil(peakBitsPerSecond)) },
      new Element('BaseURL').t(subtitleFile(number)),
    ),
  );
}

function representation(
  id: string,
  { number, file, peakBitsPerSecond }: MeasuredVideo | MeasuredAudio,
  attributes: Record<string, string>,
  ...descriptors: Element[]
): Element {
  const { index, initBytes } = file;
  return element(
    'Representation',
    { id, codecs: file.codec, bandwidth: String(Math.ceil(peakBitsPerSecond)), ...attributes },
    ...descriptors,
    new Element('BaseURL').t(mediaFile(number)),
    element(
      'SegmentBase',
      { indexRange: range(index.offset, index.sizeBytes), indexRangeExact: 'true' },
      element('Initialization', { range: range(0, initBytes) }),
    ),
  );
}

/** By TV-Anytime, as DVB-DASH requires (ETSI TS 103 285, section 7.1.2). Players choose tracks by it. */
const purposes: Record<Accessibility, string> = { description: '1', caption: '2' };

function purpose(accessibility: Accessibility | undefined): Element[] {
  if (accessibility === undefined) return [];
  return [element('Accessibility', { schemeIdUri: scheme.purpose, value: purposes[accessibility] })];
}

function role(value: string): Element {
  return element('Role', { schemeIdUri: scheme.role, value });
}

function languageOf(language: string | undefined): Record<string, string> {
  return language === undefined ? {} : { lang: language };
}

function range(offset: number, sizeBytes: number): string {
  return `${offset}-${offset + sizeBytes - 1}`;
}

function frameRate(framesPerSecond: number): string {
  return Number.isInteger(framesPerSecond) ? String(framesPerSecond) : exactRate(framesPerSecond).exact;
}

function duration(seconds: number): string {
  return `PT${seconds.toFixed(3)}S`;
}

function element(name: string, attributes: Record<string, string>, ...children: Element[]): Element {
  const made = new Element(name, attributes);
  for (const child of children) made.cnode(child);
  return made;
}
