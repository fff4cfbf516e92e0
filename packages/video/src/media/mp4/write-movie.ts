import { box, boxHeader, bytesOf, copyOf, fullBox, integers, longIntegers } from '../boxes.ts';
import type { JoinedTrack } from './join-tracks.ts';
import type { Movie } from './read-movie.ts';
import { sampleTable } from './write-sample-tables.ts';

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

export type Positions = {
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
