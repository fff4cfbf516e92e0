import { DOMParser, type Document, type Element, XMLSerializer } from '@xmldom/xmldom';
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
 * segments, so players would seek further off the later the position is. `streams` are by filename.
 */
export function rewriteDashManifest(text: string, streams: ReadonlyMap<string, SegmentedStream>): string {
  const document = new DOMParser().parseFromString(text, 'application/xml');
  const durations = [...streams.values()].flatMap(({ segmentDurationsSeconds }) => segmentDurationsSeconds);
  const maxSeconds = durations.reduce((max, each) => Math.max(max, each), 0);
  replaceAttribute(document, 'MPD', 'profiles', () => 'urn:mpeg:dash:profile:isoff-main:2011');
  replaceAttribute(document, 'MPD', 'maxSegmentDuration', () => `PT${maxSeconds.toFixed(3)}S`);
  replaceAttribute(document, 'AdaptationSet', 'frameRate', (declared) => frameRate(declared, streams));
  for (const representation of document.getElementsByTagName('Representation')) {
    const [baseUrl] = representation.getElementsByTagName('BaseURL');
    const stream = streams.get(baseUrl?.textContent ?? '');
    if (stream) rewriteRepresentation(document, representation, stream);
  }
  return new XMLSerializer().serializeToString(document);
}

function replaceAttribute(
  document: Document,
  tag: string,
  name: string,
  replace: (declared: string) => string,
): void {
  for (const element of document.getElementsByTagName(tag)) {
    const declared = element.getAttribute(name);
    if (declared !== null) element.setAttribute(name, replace(declared));
  }
}

function rewriteRepresentation(
  document: Document,
  representation: Element,
  { peakBitsPerSecond, segmentDurationsSeconds }: SegmentedStream,
): void {
  representation.setAttribute('bandwidth', String(Math.ceil(peakBitsPerSecond)));
  for (const list of representation.getElementsByTagName('SegmentList')) {
    list.removeAttribute('duration');
    list.setAttribute('timescale', String(ticksPerSecond));
    list.insertBefore(segmentTimeline(document, segmentDurationsSeconds), list.firstChild);
  }
}

/** ffmpeg may declare a rate for a variable frame rate that no player supports. */
function frameRate(declared: string, streams: ReadonlyMap<string, SegmentedStream>): string {
  const measured = [...streams.values()].find(({ framesPerSecond }) => framesPerSecond);
  const [frames = 0, seconds = 1] = declared.split('/').map(Number);
  const baseFramesPerSecond = frames / seconds;
  return signalledFps({ baseFramesPerSecond, framesPerSecond: measured?.framesPerSecond }) ?? declared;
}

/** Consecutive segments of equal duration share one `S` element. */
function segmentTimeline(document: Document, durationsSeconds: readonly number[]): Element {
  const runs: { duration: number; count: number }[] = [];
  for (const seconds of durationsSeconds) {
    const duration = Math.round(seconds * ticksPerSecond);
    const last = runs.at(-1);
    if (last?.duration === duration) last.count += 1;
    else runs.push({ duration, count: 1 });
  }
  const namespace = document.documentElement?.namespaceURI ?? null;
  const timeline = document.createElementNS(namespace, 'SegmentTimeline');
  for (const [index, { duration, count }] of runs.entries()) {
    const run = document.createElementNS(namespace, 'S');
    if (index === 0) run.setAttribute('t', '0');
    run.setAttribute('d', String(duration));
    if (count > 1) run.setAttribute('r', String(count - 1));
    timeline.appendChild(run);
  }
  return timeline;
}
