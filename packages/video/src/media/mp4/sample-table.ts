import type { Samples } from './edit-list.ts';
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
