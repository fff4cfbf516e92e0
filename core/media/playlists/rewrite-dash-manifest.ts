import { Element, parse } from 'ltx';
import { signalledFps } from '../frame-rate.ts';
import type { SegmentRates } from './segment-rates.ts';

/** Measurements of a finished stream, with the duration of each segment. */
export type SegmentedStream = SegmentRates & {
  segmentDurationsSeconds: readonly number[];
  framesPerSecond?: number | undefined;
};

const ticksPerSecond = 1_000_000;

/**
 * Rewrites ffmpeg's manifest with the measured bit rates and a SegmentTimeline. ffmpeg declares one duration for all
 * segments, so the error of a seek would grow with the position. `streams` are by filename.
 */
export function rewriteDashManifest(text: string, streams: ReadonlyMap<string, SegmentedStream>): string {
  const [declaration = ''] = /^\s*<\?xml[^>]*\?>\s*/.exec(text) ?? [];
  const manifest = parse(text);
  const durations = [...streams.values()].flatMap(({ segmentDurationsSeconds }) => segmentDurationsSeconds);
  const maxSeconds = durations.reduce((max, each) => Math.max(max, each), 0);
  replaceAttribute(manifest, 'MPD', 'profiles', () => 'urn:mpeg:dash:profile:isoff-main:2011');
  replaceAttribute(manifest, 'MPD', 'maxSegmentDuration', () => `PT${maxSeconds.toFixed(3)}S`);
  replaceAttribute(manifest, 'AdaptationSet', 'frameRate', (declared) => frameRate(declared, streams));
  for (const representation of elements(manifest, 'Representation')) {
    const stream = streams.get(representation.getChildText('BaseURL') ?? '');
    if (stream) rewriteRepresentation(representation, stream);
  }
  return declaration + manifest.toString();
}

/** The element and its descendants that have this tag name, in document order. */
function elements(element: Element, tagName: string): Element[] {
  const descendants = element.getChildElements().flatMap((child) => elements(child, tagName));
  return element.is(tagName) ? [element, ...descendants] : descendants;
}

function replaceAttribute(
  manifest: Element,
  tagName: string,
  name: string,
  replace: (declared: string) => string,
): void {
  for (const element of elements(manifest, tagName)) {
    const declared = element.getAttr(name);
    if (typeof declared === 'string') element.setAttrs({ [name]: replace(declared) });
  }
}

function rewriteRepresentation(
  representation: Element,
  { peakBitsPerSecond, segmentDurationsSeconds }: SegmentedStream,
): void {
  representation.setAttrs({ bandwidth: String(Math.ceil(peakBitsPerSecond)) });
  for (const list of elements(representation, 'SegmentList')) {
    list.setAttrs({ duration: undefined, timescale: String(ticksPerSecond) });
    const timeline = segmentTimeline(segmentDurationsSeconds);
    timeline.parent = list;
    list.children.unshift(timeline);
  }
}

/** For a variable frame rate, ffmpeg may declare a rate that no player supports. */
function frameRate(declared: string, streams: ReadonlyMap<string, SegmentedStream>): string {
  const measured = [...streams.values()].find(({ framesPerSecond }) => framesPerSecond);
  const [frames = 0, seconds = 1] = declared.split('/').map(Number);
  const baseFramesPerSecond = frames / seconds;
  return signalledFps({ baseFramesPerSecond, framesPerSecond: measured?.framesPerSecond }) ?? declared;
}

/** Consecutive segments of equal duration share one `S` element. */
function segmentTimeline(durationsSeconds: readonly number[]): Element {
  const runs: { duration: number; count: number }[] = [];
  for (const seconds of durationsSeconds) {
    const duration = Math.round(seconds * ticksPerSecond);
    const last = runs.at(-1);
    if (last?.duration === duration) last.count += 1;
    else runs.push({ duration, count: 1 });
  }
  const timeline = new Element('SegmentTimeline');
  for (const [index, { duration, count }] of runs.entries()) {
    const start = index === 0 ? { t: '0' } : {};
    const repeats = count > 1 ? { r: String(count - 1) } : {};
    timeline.cnode(new Element('S', { ...start, d: String(duration), ...repeats }));
  }
  return timeline;
}
