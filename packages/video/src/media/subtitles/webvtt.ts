import { firstNotBefore } from '../../values.ts';
import type { Segment } from '../playlists/segment-rates.ts';
import { hideReversedCues, readCueSeconds } from '../probe/subtitles.ts';

/** One cue of a WebVTT document, with its timing line and its text as they are written. */
export type Cue = { startSeconds: number; endSeconds: number; text: string };

/** The cues of a WebVTT document. Other blocks, and cues that never show, are left out. */
export function readCues(document: string): Cue[] {
  return hideReversedCues(document)
    .replaceAll('\r\n', '\n')
    .split(/\n{2,}/)
    .flatMap((block) => {
      const lines = block.split('\n').filter((line) => line !== '');
      const timing = lines.findIndex((line) => line.includes(' --> '));
      const seconds = readCueSeconds(lines[timing] ?? '');
      if (seconds === undefined || seconds.endSeconds <= seconds.startSeconds) return [];
      return [{ ...seconds, text: lines.slice(timing).join('\n') }];
    });
}

/**
 * The cues of a document of ffmpeg's WebVTT encoder, which writes text of other formats as it is: characters that would be
 * markup are escaped, and empty lines, which would end a cue, are left out.
 */
export function readEncodedCues(document: string): Cue[] {
  const [, ...blocks] = document.split(/\n(?=(?:\d+:)?\d\d:\d\d\.\d{3} --> )/);
  return readCues(blocks.map(escapeBlock).join('\n\n'));
}

function escapeBlock(block: string): string {
  const [timing = '', ...text] = block.split('\n').filter((line) => line.trim() !== '');
  return [timing, ...text.map(escapeText)].join('\n');
}

/** Keeps the tags that the encoder writes. */
function escapeText(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll(/<(?!\/?[biu]>)/g, '&lt;')
    .replaceAll('-->', '--&gt;');
}

export function writeCues(cues: readonly Cue[]): string {
  return ['WEBVTT', ...cues.map(({ text }) => text)].join('\n\n').concat('\n');
}

/** The cues' clock is that of the media, which starts at 0 (RFC 8216, section 3.5). */
const timestampMap = 'X-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000';

/** A cue is repeated in every segment in which it shows: one that shows for hours multiplies its text. */
const maxSegmentedBytes = 16_000_000;

/**
 * One WebVTT document for each segment, one after the other, and where each is.
 * @throws RangeError if the documents have more than `maxSegmentedBytes`
 */
export function segmentCues(
  cues: readonly Cue[],
  { segmentSeconds, durationSeconds }: { segmentSeconds: number; durationSeconds: number },
): { text: string; segments: Segment[] } {
  const count = Math.max(1, Math.ceil(durationSeconds / segmentSeconds - 1e-6));
  const shown = cuesBySegment(cues, { segmentSeconds, count });
  const documents: string[] = [];
  const segments: Segment[] = [];
  let offset = 0;
  for (const [index, list] of shown.entries()) {
    const text = `${[`WEBVTT\n${timestampMap}`, ...list].join('\n\n')}\n\n`;
    const sizeBytes = new TextEncoder().encode(text).length;
    const startSeconds = index * segmentSeconds;
    const seconds = Math.min(segmentSeconds, Math.max(durationSeconds - startSeconds, 0.001));
    documents.push(text);
    segments.push({ offset, sizeBytes, seconds });
    offset += sizeBytes;
  }
  return { text: documents.join(''), segments };
}

function cuesBySegment(
  cues: readonly Cue[],
  { segmentSeconds, count }: { segmentSeconds: number; count: number },
): string[][] {
  const shown = Array.from({ length: count }, (): string[] => []);
  let characters = 0;
  for (const { startSeconds, endSeconds, text } of cues) {
    const last = Math.min(count, Math.ceil(endSeconds / segmentSeconds));
    for (let segment = Math.floor(startSeconds / segmentSeconds); segment < last; segment += 1) {
      characters += text.length;
      if (characters > maxSegmentedBytes) {
        throw new RangeError(`The cues of a track have more than ${maxSegmentedBytes} bytes in segments`);
      }
      shown[segment]?.push(text);
    }
  }
  return shown;
}

type Interval = Pick<Cue, 'startSeconds' | 'endSeconds'>;

/**
 * The time ranges in which cues overlap, ascending and disjoint. A renderer places a cue beside those that
 * are already shown and keeps it there: within such a range a frame depends on what was shown before.
 */
export function overlappingCues(cues: readonly Interval[]): Interval[] {
  const stretches: (Interval & { cues: number })[] = [];
  for (const { startSeconds, endSeconds } of cues.toSorted((a, b) => a.startSeconds - b.startSeconds)) {
    const last = stretches.at(-1);
    if (last !== undefined && startSeconds < last.endSeconds) {
      last.endSeconds = Math.max(last.endSeconds, endSeconds);
      last.cues += 1;
    } else stretches.push({ startSeconds, endSeconds, cues: 1 });
  }
  return stretches.filter(({ cues: count }) => count > 1);
}

/** Whether a time is within one of these ranges, which are ascending and disjoint. */
export function isWithin(stretches: readonly Interval[], seconds: number): boolean {
  const next = firstNotBefore(stretches.length, (at) => (stretches[at]?.endSeconds ?? 0) <= seconds);
  return (stretches[next]?.startSeconds ?? Number.POSITIVE_INFINITY) < seconds;
}
