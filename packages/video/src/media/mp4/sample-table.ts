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
export function compositionOffsets(view: DataView, samples: number): Int32Array | undefined {
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
export function markSyncSamples(view: DataView, marks: Uint8Array): boolean {
  const count = countOf(view, 4);
  if (count === undefined) return false;
  for (let entry = 0; entry < count; entry += 1) {
    const sample = view.getUint32(headBytes + 4 * entry) - 1;
    if (sample >= 0 && sample < marks.length) marks[sample] = 1;
  }
  return true;
}

/** How many samples each of so many chunks has. Undefined for a table that is cut off or not in order. */
export function chunkSampleCounts(samplesPerChunk: DataView, chunks: number): Uint32Array | undefined {
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

export type ChunkTables = { chunkOffsets: DataView; isLong: boolean; samplesPerChunk: DataView };

/** The position after the last byte of any sample. Undefined unless the chunks have exactly the samples of `stsz`. */
export function samplesEnd(
  { chunkOffsets, isLong, samplesPerChunk }: ChunkTables,
  { samples, sizeOf }: { samples: number; sizeOf: (sample: number) => number },
): number | undefined {
  const chunks = countOf(chunkOffsets, isLong ? 8 : 4);
  const counts = chunks === undefined ? undefined : chunkSampleCounts(samplesPerChunk, chunks);
  if (counts === undefined) return undefined;
  let [sample, end] = [0, 0];
  for (const [chunk, count] of counts.entries()) {
    if (sample + count > samples) return undefined;
    const at = headBytes + (isLong ? 8 : 4) * chunk;
    let position = isLong ? Number(chunkOffsets.getBigUint64(at)) : chunkOffsets.getUint32(at);
    for (const last = sample + count; sample < last; sample += 1) position += sizeOf(sample);
    end = Math.max(end, position);
  }
  return sample === samples ? end : undefined;
}
