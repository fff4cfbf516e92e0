import { firstNotBefore } from '../../values.ts';
import { maxSamples } from './find-track.ts';

/** Reads the tables of an MP4 track (ISO/IEC 14496-12, 8.6 and 8.7). Each view starts after the header of its box. */

/** Of 4-byte version and flags, and a count. */
const headBytes = 8;

/** Run lengths of `stts` or `ctts`: how many samples have this value. Undefined for a table that is cut off. */
function runsOf(
  view: DataView,
): { count: (run: number) => number; value: (run: number) => number; runs: number } | undefined {
  const runs = countOf(view, 8);
  if (runs === undefined) return undefined;
  return {
    runs,
    count: (run) => view.getUint32(headBytes + 8 * run),
    value: (run) => view.getInt32(headBytes + 8 * run + 4),
  };
}

/** The number of entries; undefined unless the view has all of them. */
function countOf(view: DataView, entryBytes: number): number | undefined {
  if (view.byteLength < headBytes) return undefined;
  const count = view.getUint32(4);
  return headBytes + count * entryBytes <= view.byteLength ? count : undefined;
}

/** ffmpeg takes larger values for damage. */
const maxTicks = 2 ** 28;

/** Decoding times in ticks, from 0. Undefined unless `stts` has exactly so many samples with plausible durations. */
export function decodingTimes(
  view: DataView,
  samples: number,
): { dts: Float64Array; durationOf: (sample: number) => number } | undefined {
  const table = runsOf(view);
  if (table === undefined) return undefined;
  const dts = new Float64Array(samples);
  let [sample, time] = [0, 0];
  for (let run = 0; run < table.runs; run += 1) {
    const [count, ticks] = [table.count(run), table.value(run)];
    if (ticks < 0 || ticks >= maxTicks || sample + count > samples) return undefined;
    for (const end = sample + count; sample < end; sample += 1, time += ticks) dts[sample] = time;
  }
  if (sample !== samples) return undefined;
  const lastTicks = table.runs === 0 ? 0 : table.value(table.runs - 1);
  return { dts, durationOf: (at) => (at + 1 < samples ? (dts[at + 1] ?? 0) - (dts[at] ?? 0) : lastTicks) };
}

/** The number of samples and their duration in ticks. Undefined for `stts` with different durations before the last. */
export function sampleDurations(view: DataView): { samples: number; sampleTicks: number } | undefined {
  const table = runsOf(view);
  if (table === undefined || table.runs === 0 || table.runs > 2) return undefined;
  const [samples, sampleTicks] = [table.count(0), table.value(0)];
  if (sampleTicks <= 0 || sampleTicks >= maxTicks) return undefined;
  if (table.runs === 1) return { samples, sampleTicks };
  const isShortLast = table.count(1) === 1 && table.value(1) <= sampleTicks;
  return isShortLast ? { samples: samples + 1, sampleTicks } : undefined;
}

/** Presentation time less decoding time of each sample, in ticks. Undefined unless `ctts` has exactly so many samples. */
function compositionOffsets(view: DataView, samples: number): Int32Array | undefined {
  const table = runsOf(view);
  if (table === undefined) return undefined;
  const offsets = new Int32Array(samples);
  let sample = 0;
  for (let run = 0; run < table.runs; run += 1) {
    const [count, ticks] = [table.count(run), table.value(run)];
    if (Math.abs(ticks) >= maxTicks || sample + count > samples) return undefined;
    offsets.fill(ticks, sample, sample + count);
    sample += count;
  }
  return sample === samples ? offsets : undefined;
}

/** The number of samples, and the size of each in bytes. Undefined for a table that is cut off. */
export function sampleSizes(view: DataView): { samples: number; sizeOf: (sample: number) => number } | undefined {
  if (view.byteLength < 12) return undefined;
  const [common, samples] = [view.getUint32(4), view.getUint32(8)];
  if (common !== 0) return { samples, sizeOf: () => common };
  if (12 + 4 * samples > view.byteLength) return undefined;
  return { samples, sizeOf: (sample) => view.getUint32(12 + 4 * sample) };
}

/** Marks the samples that `stss` or `stps` lists, which count from 1. False for a table that is cut off. */
function markSyncSamples(view: DataView, marks: Uint8Array): boolean {
  const count = countOf(view, 4);
  if (count === undefined) return false;
  for (let entry = 0; entry < count; entry += 1) {
    const sample = view.getUint32(headBytes + 4 * entry) - 1;
    if (sample >= 0 && sample < marks.length) marks[sample] = 1;
  }
  return true;
}

/** How many samples each of so many chunks has. Undefined for a table that is cut off or not in order. */
function chunkSampleCounts(samplesPerChunk: DataView, chunks: number): Uint32Array | undefined {
  const runs = countOf(samplesPerChunk, 12);
  if (runs === undefined) return undefined;
  const firstChunk = (run: number) => samplesPerChunk.getUint32(headBytes + 12 * run) - 1;
  const counts = new Uint32Array(chunks);
  for (let run = 0; run < runs; run += 1) {
    const [first, end] = [run === 0 ? 0 : firstChunk(run), run + 1 < runs ? firstChunk(run + 1) : chunks];
    if (first < 0 || end < first) return undefined;
    counts.fill(samplesPerChunk.getUint32(headBytes + 12 * run + 4), first, end);
  }
  return counts;
}

/** The numbers, from 1, of the sample descriptions that `stsc` refers to. */
export function usedDescriptions(samplesPerChunk: DataView): Set<number> {
  const runs = countOf(samplesPerChunk, 12) ?? 0;
  return new Set(Array.from({ length: runs }, (_, run) => samplesPerChunk.getUint32(headBytes + 12 * run + 8)));
}

/** What the tables of a track tell of its samples. */
type SampleTables = Pick<Samples, 'dts' | 'offsets'> & {
  samples: number;
  sizeOf: (sample: number) => number;
  durationOf: (sample: number) => number;
  /** 1 for a keyframe; left out if all samples are keyframes. */
  keyframes?: Uint8Array | undefined;
};

/** Undefined if a table is missing or cut off, or has another number of samples than the others. */
export function readSampleTables(find: (type: string) => DataView | undefined): SampleTables | undefined {
  const [sizeTable, timeTable, offsetTable, syncTable] = [find('stsz'), find('stts'), find('ctts'), find('stss')];
  const sizes = sizeTable && sampleSizes(sizeTable);
  if (sizes === undefined || timeTable === undefined || sizes.samples === 0 || sizes.samples > maxSamples)
    return undefined;
  const times = decodingTimes(timeTable, sizes.samples);
  const offsets = offsetTable && compositionOffsets(offsetTable, sizes.samples);
  const keyframes = syncTable && new Uint8Array(sizes.samples);
  if (times === undefined || (offsetTable && !offsets)) return undefined;
  if (syncTable && keyframes && !markSyncSamples(syncTable, keyframes)) return undefined;
  return { ...sizes, ...times, offsets, keyframes };
}

/** Where samples lie in a file: a position, and how many samples follow each other from there. */
export type SamplePositions = { positions: Float64Array; counts: Uint32Array };

/** Undefined unless the chunks have exactly so many samples. */
export function readPositions(
  find: (type: string) => DataView | undefined,
  samples: number,
): SamplePositions | undefined {
  const long = find('co64');
  const [offsets, samplesPerChunk] = [long ?? find('stco'), find('stsc')];
  const chunks = offsets && countOf(offsets, long ? 8 : 4);
  if (offsets === undefined || samplesPerChunk === undefined || chunks === undefined) return undefined;
  const counts = chunkSampleCounts(samplesPerChunk, chunks);
  if (counts?.reduce((sum, each) => sum + each, 0) !== samples) return undefined;
  const positionOf = (chunk: number) =>
    long ? Number(offsets.getBigUint64(headBytes + 8 * chunk)) : offsets.getUint32(headBytes + 4 * chunk);
  return { counts, positions: Float64Array.from({ length: chunks }, (_, chunk) => positionOf(chunk)) };
}

/** What an edit list shows of a track. */
export type Edit = {
  /** Ticks of the track before its first sample is shown. */
  emptyTicks: number;
  /** Presentation time at which the shown part starts, in ticks of the track. */
  mediaTime: number;
  durationTicks: number;
};

/** The samples of a track in decoding order. */
export type Samples = {
  /** Decoding times in ticks, from 0. */
  dts: Float64Array;
  /** Presentation time less decoding time; left out if they are the same. */
  offsets?: Int32Array | undefined;
  isKeyframe: (sample: number) => boolean;
};

/** Samples that ffmpeg reads, from `first` up to but excluding `end`. */
export type EditedSamples = {
  first: number;
  end: number;
  /** Presentation time less that of the track, in ticks. */
  shiftTicks: number;
  isShown: (sample: number) => boolean;
};

/**
 * Parses `elst`: empty edits and then one of the track, at normal speed. Undefined for any other list: ffmpeg is left to
 * say what it reads of these.
 */
export function readEditList(
  view: DataView,
  { timescale, movieTimescale }: { timescale: number; movieTimescale: number },
): Edit | undefined {
  const edits = readEdits(view);
  const [last, ...before] = edits.toReversed();
  const ticksOf = (edit: { movieTicks: number }) => Math.round((edit.movieTicks * timescale) / movieTimescale);
  if (last === undefined || before.some(({ mediaTime }) => mediaTime !== -1)) return undefined;
  const { mediaTime, isNormalSpeed } = last;
  const durationTicks = ticksOf(last);
  if (mediaTime < 0 || durationTicks === 0 || !isNormalSpeed) return undefined;
  return { emptyTicks: before.reduce((sum, edit) => sum + ticksOf(edit), 0), mediaTime, durationTicks };
}

const maxEdits = 1000;

/** The edits of `elst`. One is empty if its media time is -1. None of a list that is not whole. */
export function readEdits(view: DataView): { movieTicks: number; mediaTime: number; isNormalSpeed: boolean }[] {
  if (view.byteLength < 8) return [];
  const isLong = view.getUint8(0) === 1;
  const [count, entryBytes] = [view.getUint32(4), isLong ? 20 : 12];
  if (count > maxEdits || 8 + count * entryBytes > view.byteLength) return [];
  return Array.from({ length: count }, (_, entry) => {
    const at = 8 + entry * entryBytes;
    return {
      movieTicks: isLong ? Number(view.getBigUint64(at)) : view.getUint32(at),
      mediaTime: isLong ? Number(view.getBigInt64(at + 8)) : view.getInt32(at + 4),
      isNormalSpeed: view.getUint32(at + entryBytes - 4) === 0x10000,
    };
  });
}

/**
 * The samples that ffmpeg reads under an edit, and which of them it shows (`mov_fix_index` of its demuxer): from the
 * keyframe before the shown part to the second keyframe after it, since frames that are shown may follow the first in
 * decoding order. The earliest shown sample has the time after the empty edits, whatever the edit says; with negative
 * composition offsets it may have an earlier one.
 */
export function applyEdit(samples: Samples, edit: Edit): EditedSamples | undefined {
  const { dts, offsets, isKeyframe } = samples;
  const timeOf = (sample: number) => (dts[sample] ?? 0) + (offsets?.[sample] ?? 0);
  const first = keyframeBefore(samples, edit.mediaTime);
  if (first === undefined) return undefined;
  const endTime = edit.mediaTime + edit.durationTicks;
  const isShown = (sample: number) => timeOf(sample) >= edit.mediaTime && timeOf(sample) < endTime;
  let [end, keyframesAfter] = [first, 0];
  /** Decoding time of the first sample that is shown. */
  let startTicks: number | undefined;
  // As in ffmpeg, which takes a negative minimum for none yet.
  let earliestTime = -1;
  while (end < dts.length) {
    const sample = end;
    end += 1;
    if (isShown(sample)) {
      startTicks ??= dts[sample] ?? 0;
      const time = edit.emptyTicks + timeOf(sample) - startTicks;
      earliestTime = earliestTime < 0 ? time : Math.min(earliestTime, time);
    }
    const durationTicks = sample + 1 < dts.length ? (dts[sample + 1] ?? 0) - (dts[sample] ?? 0) : edit.durationTicks;
    if (timeOf(sample) + durationTicks < endTime || !isKeyframe(sample)) continue;
    keyframesAfter += 1;
    if (keyframesAfter === (offsets === undefined ? 1 : 2)) break;
  }
  if (startTicks === undefined) return undefined;
  const lateTicks = Math.max(0, earliestTime - edit.emptyTicks);
  return { first, end, shiftTicks: edit.emptyTicks - startTicks - lateTicks, isShown };
}

/** The last keyframe that is decoded and shown no later than a time. */
function keyframeBefore({ dts, offsets, isKeyframe }: Samples, time: number): number | undefined {
  for (let sample = firstNotBefore(dts.length, (at) => (dts[at] ?? 0) <= time) - 1; sample >= 0; sample -= 1) {
    const shownAt = (dts[sample] ?? 0) + (offsets?.[sample] ?? 0);
    if (isKeyframe(sample) && shownAt <= time) return sample;
  }
  return offsets !== undefined || isKeyframe(0) ? 0 : undefined;
}
