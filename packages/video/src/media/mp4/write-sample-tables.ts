import { box, bytesOf, fullBox, integers, integerTable, longIntegers } from '../boxes.ts';
import { maxBitRate, withBitRates } from './bit-rates.ts';
import type { JoinedTrack } from './join-tracks.ts';
import type { SampleGroups } from './read-movie.ts';

/**
 * Writes `stbl`, with the boxes and the run lengths that ffmpeg writes.
 *
 * @param isLong positions have 64 bits
 * @param dataStart position of the first byte of the samples
 */
export function sampleTable(
  { description, groups, samples, timescale }: JoinedTrack,
  { dataStart, isLong }: { dataStart: number; isLong: boolean },
): Uint8Array {
  const { dts, offsets, sizes, keyframes, dependencies, positions, counts, lastTicks } = samples;
  const count = sizes.length;
  const ticksOf = (sample: number) => (sample + 1 < count ? (dts[sample + 1] ?? 0) - (dts[sample] ?? 0) : lastTicks);
  const positionOf = (chunk: number) => (positions[chunk] ?? 0) + dataStart;
  const seconds = ((dts[count - 1] ?? 0) + lastTicks - (dts[0] ?? 0)) / timescale;
  const bits = 8 * sizes.reduce((sum, size) => sum + size, 0);
  const average = seconds > 0 ? Math.min(2 ** 32 - 1, Math.round(bits / seconds)) : 0;
  const rates = { average, max: Math.max(average, maxBitRate(description)) };
  return box(
    'stbl',
    box('stsd', bytesOf(withBitRates(description, rates))),
    runBox('stts', count, ticksOf),
    ...(keyframes?.includes(0) ? [listBox('stss', numbersOf(keyframes))] : []),
    ...(dependencies ? [fullBox('sdtp', dependencies)] : []),
    ...(offsets?.some((ticks) => ticks !== 0) ? [runBox('ctts', count, (sample) => offsets[sample] ?? 0)] : []),
    samplesPerChunk(counts),
    sizeBox(sizes),
    isLong
      ? fullBox('co64', integers(positions.length), longIntegers(positions.map((at) => at + dataStart)))
      : fullBox('stco', integers(positions.length), integerTable(positions.length, positionOf)),
    ...(groups ? groupBoxes(groups) : []),
  );
}

/** How many samples in a row have the same value, and the value. */
function runBox(type: string, count: number, valueAt: (sample: number) => number): Uint8Array {
  const runs: number[] = [];
  for (let sample = 0; sample < count; sample += 1) {
    const value = valueAt(sample);
    const last = runs.length - 1;
    if (runs[last] === value) runs[last - 1] = (runs[last - 1] ?? 0) + 1;
    else runs.push(1, value);
  }
  return fullBox(
    type,
    integers(runs.length / 2),
    integerTable(runs.length, (index) => runs[index] ?? 0),
  );
}

function listBox(type: string, values: readonly number[]): Uint8Array {
  return fullBox(
    type,
    integers(values.length),
    integerTable(values.length, (index) => values[index] ?? 0),
  );
}

/** The numbers of the keyframes, from 1. */
function numbersOf(keyframes: Uint8Array): number[] {
  const numbers: number[] = [];
  for (const [sample, isKeyframe] of keyframes.entries()) if (isKeyframe) numbers.push(sample + 1);
  return numbers;
}

function samplesPerChunk(counts: Uint32Array): Uint8Array {
  const runs: number[] = [];
  let last: number | undefined;
  for (const [chunk, count] of counts.entries()) {
    if (count !== last) runs.push(chunk + 1, count, 1);
    last = count;
  }
  return fullBox(
    'stsc',
    integers(runs.length / 3),
    integerTable(runs.length, (index) => runs[index] ?? 0),
  );
}

function sizeBox(sizes: Uint32Array): Uint8Array {
  const [first = 0] = sizes;
  if (first > 0 && sizes.every((size) => size === first)) return fullBox('stsz', integers(first, sizes.length));
  return fullBox(
    'stsz',
    integers(0, sizes.length),
    integerTable(sizes.length, (sample) => sizes[sample] ?? 0),
  );
}

function groupBoxes({ description, runs }: SampleGroups): Uint8Array[] {
  const roll = Uint8Array.from('roll', (character) => character.charCodeAt(0));
  const assignment = [roll, integers(runs.length, ...runs.flatMap(({ samples, group }) => [samples, group]))];
  return [box('sgpd', bytesOf(description)), fullBox('sbgp', Buffer.concat(assignment))];
}
