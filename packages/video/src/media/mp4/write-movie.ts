import { box, boxHeader, bytesOf, copyOf, fullBox, integers, integerTable, longIntegers } from '../boxes.ts';
import { maxBitRate, withBitRates } from './bit-rates.ts';
import type { JoinedTrack } from './join-tracks.ts';
import type { Movie, SampleGroups } from './read-movie.ts';

/** A movie whose samples lie elsewhere, behind the header that is to be written. */
export type JoinedMovie = Pick<Movie, 'brands' | 'header' | 'movieTimescale' | 'userData'> & {
  tracks: readonly JoinedTrack[];
  dataBytes: number;
};

/**
 * Writes what precedes the samples: the brands, the index, and the header of `mdat`. Times and durations are those that
 * ffmpeg states for the same packets (`movenc.c`). Positions have 64 bits where the file is larger than 4 GiB.
 */
export function movieHeader(movie: JoinedMovie): Uint8Array {
  const brands = box('ftyp', bytesOf(movie.brands));
  const data = boxHeader('mdat', movie.dataBytes);
  const headerOf = (positions: Positions) => [brands, movieIndex(movie, positions), data];
  const sizeOf = (positions: Positions) => headerOf(positions).reduce((sum, { length }) => sum + length, 0);
  const isLong = sizeOf({ dataStart: 0, isLong: false }) + movie.dataBytes > 2 ** 32 - 1;
  // The size does not depend on the positions themselves.
  const dataStart = sizeOf({ dataStart: 0, isLong });
  return Buffer.concat(headerOf({ dataStart, isLong }));
}

type Positions = {
  /** Of the first sample in the file. */
  dataStart: number;
  /** Whether positions have 64 bits. */
  isLong: boolean;
};

/** Writes `moov`. */
export function movieIndex(
  { header, movieTimescale, tracks, userData }: Omit<JoinedMovie, 'brands' | 'dataBytes'>,
  positions: Positions,
): Uint8Array {
  const durations = tracks.map((track) => shownTicks(track, movieTimescale));
  const movie = copyOf(header);
  movie.setUint32(16, Math.max(...durations));
  return box(
    'moov',
    box('mvhd', bytesOf(movie)),
    ...tracks.map((track, index) =>
      trackBox(track, { ...positions, movieTimescale, durationTicks: durations[index] ?? 0 }),
    ),
    ...(userData ? [box('udta', bytesOf(userData))] : []),
  );
}

function trackBox(
  track: JoinedTrack,
  { movieTimescale, durationTicks, ...positions }: Positions & { movieTimescale: number; durationTicks: number },
): Uint8Array {
  const header = copyOf(track.header);
  header.setUint32(20, durationTicks);
  return box(
    'trak',
    box('tkhd', bytesOf(header)),
    box('edts', editList(track, movieTimescale)),
    box(
      'mdia',
      box('mdhd', mediaHeader(track)),
      ...track.handler.map(({ type, content }) => box(type, bytesOf(content))),
      box(
        'minf',
        ...track.mediaInformation.map(({ type, content }) => box(type, bytesOf(content))),
        sampleTable(track, positions),
      ),
    ),
  );
}

type Times = {
  firstDts: number;
  /** Presentation time of the first sample in decoding order. */
  start: number;
  /** The latest end of a sample. */
  end: number;
};

function timesOf({ samples: { dts, offsets }, endTicks }: JoinedTrack): Times {
  const firstDts = dts[0] ?? 0;
  return { firstDts, start: firstDts + (offsets?.[0] ?? 0), end: endTicks };
}

/** The duration with what the edit list adds and removes, in ticks of the movie. */
function shownTicks(track: JoinedTrack, movieTimescale: number): number {
  return Math.ceil((timesOf(track).end * movieTimescale) / track.timescale);
}

function editList(track: JoinedTrack, movieTimescale: number): Uint8Array {
  const { firstDts, start, end } = timesOf(track);
  const inMovie = (ticks: number) => (ticks * movieTimescale) / track.timescale;
  const delay = Math.floor(inMovie(start));
  const duration = Math.ceil(inMovie(end - start));
  const normalSpeed = 0x10000;
  if (delay > 0) return fullBox('elst', integers(2, delay, -1, normalSpeed, duration, start - firstDts, normalSpeed));
  return fullBox('elst', integers(1, duration + delay, Math.max(0, -firstDts), normalSpeed));
}

/** With 64 bits for a duration beyond 31. */
function mediaHeader(track: JoinedTrack): Uint8Array {
  const { start, end } = timesOf(track);
  const durationTicks = end - start;
  const header = copyOf(track.mediaHeader);
  header.setUint32(16, durationTicks);
  if (durationTicks < 2 ** 31) return bytesOf(header);
  const language = bytesOf(header).subarray(20);
  const times = [header.getUint32(4), header.getUint32(8)];
  return Buffer.concat([
    integers(0x01000000),
    longIntegers(times),
    integers(track.timescale),
    longIntegers([durationTicks]),
    language,
  ]);
}

/** Writes `stbl` as ffmpeg does. `dataStart` is the position of the samples, of 64 bits if `isLong`. */
function sampleTable(
  { description, groups, samples, timescale }: JoinedTrack,
  { dataStart, isLong }: { dataStart: number; isLong: boolean },
): Uint8Array {
  const { dts, offsets, sizes, keyframes, dependencies, positions, counts, lastTicks } = samples;
  const count = sizes.length;
  const ticksOf = (sample: number) => (sample + 1 < count ? (dts[sample + 1] ?? 0) - (dts[sample] ?? 0) : lastTicks);
  const moved = positions.map((at) => at + dataStart);
  const seconds = ((dts[count - 1] ?? 0) + lastTicks - (dts[0] ?? 0)) / timescale;
  const bits = 8 * sizes.reduce((sum, size) => sum + size, 0);
  const average = seconds > 0 ? Math.min(2 ** 32 - 1, Math.round(bits / seconds)) : 0;
  const rates = { average, max: Math.max(average, maxBitRate(description)) };
  return box(
    'stbl',
    box('stsd', bytesOf(withBitRates(description, rates))),
    runBox('stts', count, ticksOf),
    ...(keyframes?.includes(0) ? [tableBox('stss', numbersOf(keyframes))] : []),
    ...(dependencies ? [fullBox('sdtp', dependencies)] : []),
    ...(offsets?.some((ticks) => ticks !== 0) ? [runBox('ctts', count, (sample) => offsets[sample] ?? 0)] : []),
    samplesPerChunk(counts),
    sizeBox(sizes),
    isLong ? fullBox('co64', integers(moved.length), longIntegers(moved)) : tableBox('stco', moved),
    ...(groups ? groupBoxes(groups) : []),
  );
}

function runBox(type: string, count: number, valueAt: (sample: number) => number): Uint8Array {
  const runs: number[] = [];
  for (let sample = 0; sample < count; sample += 1) {
    const value = valueAt(sample);
    const last = runs.length - 1;
    if (runs[last] === value) runs[last - 1] = (runs[last - 1] ?? 0) + 1;
    else runs.push(1, value);
  }
  return tableBox(type, runs, 2);
}

function tableBox(type: string, values: ArrayLike<number>, valuesOfEntry = 1): Uint8Array {
  return fullBox(type, integers(values.length / valuesOfEntry), integerTable(values));
}

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
  return tableBox('stsc', runs, 3);
}

function sizeBox(sizes: Uint32Array): Uint8Array {
  const [first = 0] = sizes;
  if (first > 0 && sizes.every((size) => size === first)) return fullBox('stsz', integers(first, sizes.length));
  return fullBox('stsz', integers(0, sizes.length), integerTable(sizes));
}

function groupBoxes({ description, runs }: SampleGroups): Uint8Array[] {
  const roll = Uint8Array.from('roll', (character) => character.charCodeAt(0));
  const assignment = [roll, integers(runs.length, ...runs.flatMap(({ samples, group }) => [samples, group]))];
  return [box('sgpd', bytesOf(description)), fullBox('sbgp', Buffer.concat(assignment))];
}
