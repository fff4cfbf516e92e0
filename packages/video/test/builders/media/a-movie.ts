import { box, boxHeader, integers } from '../../../src/media/boxes.ts';
import type { JoinedTrack } from '../../../src/media/mp4/join-tracks.ts';
import { type JoinedMovie, movieIndex } from '../../../src/media/mp4/write-movie.ts';

const characters = (text: string) => Uint8Array.from(text, (each) => each.charCodeAt(0));
const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** A box of zeros with these 32-bit fields. */
function fields(bytes: number, values: Readonly<Record<number, number>>): DataView {
  const view = new DataView(new ArrayBuffer(bytes));
  for (const [offset, value] of Object.entries(values)) view.setUint32(Number(offset), value);
  return view;
}

type Differences = Partial<JoinedTrack['samples']> & {
  kind?: 'vide' | 'soun';
  timescale?: number;
  samples?: number;
  /** Of each sample. */
  ticks?: number;
  bytes?: number;
  /** Time of the first sample. */
  firstTicks?: number;
  endTicks?: number;
  /** What decoders are set up with. */
  configuration?: Uint8Array;
};

/** Ten samples of a second, a kilobyte each, which follow each other from the first byte of the media. */
export function aTrack({
  kind = 'vide',
  timescale = 1_000,
  samples: count = 10,
  ticks = 1_000,
  bytes = 1_000,
  firstTicks = 0,
  endTicks = firstTicks + count * ticks,
  configuration = new Uint8Array(0),
  ...samples
}: Differences = {}): JoinedTrack {
  const entry = box(kind === 'vide' ? 'avc1' : 'mp4a', new Uint8Array(kind === 'vide' ? 78 : 28), configuration);
  return {
    kind,
    timescale,
    header: fields(84, {}),
    mediaHeader: fields(24, { 12: timescale }),
    handler: [
      { type: 'hdlr', content: viewOf(Buffer.concat([new Uint8Array(8), characters(kind), new Uint8Array(13)])) },
    ],
    description: viewOf(Buffer.concat([integers(0, 1), entry])),
    mediaInformation: [],
    endTicks,
    samples: {
      dts: Float64Array.from({ length: count }, (_, sample) => firstTicks + sample * ticks),
      lastTicks: ticks,
      sizes: new Uint32Array(count).fill(bytes),
      positions: Float64Array.of(0),
      counts: Uint32Array.of(count),
      ...samples,
    },
  };
}

/** A movie of one track, with as many bytes as its samples take. */
export function aMovie(tracks: readonly JoinedTrack[] = [aTrack()]): JoinedMovie {
  const sizes = tracks.flatMap(({ samples }) => [...samples.sizes]);
  return {
    brands: viewOf(characters('isom')),
    header: fields(100, { 12: 1_000 }),
    movieTimescale: 1_000,
    tracks,
    dataBytes: sizes.reduce((sum, size) => sum + size, 0),
  };
}

/** A file with its index behind the media, as ffmpeg writes it. The media is zeros. */
export function aMovieFile(movie: JoinedMovie = aMovie()): Uint8Array {
  const brands = box('ftyp', characters('isom'));
  const media = boxHeader('mdat', movie.dataBytes);
  const dataStart = brands.length + media.length;
  const index = movieIndex(movie, { dataStart, isLong: false });
  return Buffer.concat([brands, media, new Uint8Array(movie.dataBytes), index]);
}
