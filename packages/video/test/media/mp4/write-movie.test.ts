import { describe, expect, it } from 'vitest';
import { findBox, readBoxes } from '../../../src/media/boxes.ts';
import { readMovie } from '../../../src/media/mp4/read-movie.ts';
import { readMp4AudioTrack, readMp4Track } from '../../../src/media/mp4/read-track.ts';
import { type JoinedMovie, movieHeader } from '../../../src/media/mp4/write-movie.ts';
import { aMovie, aMovieFile, aTrack } from '../../builders/media/a-movie.ts';

/** A file whose samples are not there: only its index is read. */
function aHeader(movie: JoinedMovie) {
  const header = movieHeader(movie);
  const readAt = async (offset: number, length: number) => header.subarray(offset, offset + length);
  const file = { sizeBytes: header.length + movie.dataBytes, trackId: 0 };
  return {
    header,
    readTrack: () => readMp4Track(readAt, file),
    readAudio: () => readMp4AudioTrack(readAt, file),
  };
}

function boxOf(header: Uint8Array, ...path: string[]): DataView | undefined {
  let boxes = readBoxes(new DataView(header.buffer, header.byteOffset, header.length));
  let found: DataView | undefined;
  for (const type of path) {
    found = findBox(boxes, type);
    boxes = found ? readBoxes(found) : [];
  }
  return found;
}

const table = ['moov', 'trak', 'mdia', 'minf', 'stbl'];
const gib = 1024 ** 3;

describe('the header of a joined movie', () => {
  it('is an index that is read back', async () => {
    const movie = aMovie([aTrack({ keyframes: Uint8Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0) })]);
    const track = await aHeader(movie).readTrack();
    expect([...(track?.dts ?? [])]).toEqual([...(movie.tracks[0]?.samples.dts ?? [])]);
    expect([0, 1, 5].map((sample) => track?.isKeyframe(sample))).toEqual([true, false, true]);
  });

  it('says what precedes the start by an edit list, and how long all lasts', async () => {
    const audio = aTrack({ kind: 'soun', timescale: 48_000, ticks: 1024, firstTicks: -1024 });
    const { readAudio, header } = aHeader(aMovie([audio]));
    expect(await readAudio()).toMatchObject({
      packets: 10,
      startSeconds: -1024 / 48_000,
      endSeconds: (9 * 1024) / 48_000,
    });
    expect(boxOf(header, 'moov', 'mvhd')?.getUint32(16)).toBe(192);
  });

  it('says by an empty edit that a track starts late', async () => {
    const track = await aHeader(aMovie([aTrack({ firstTicks: 1234 })])).readTrack();
    expect(track?.shiftTicks).toBe(1234);
  });

  /** Two samples of so many bytes. */
  const large = (bytes: number) =>
    aMovie([aTrack({ samples: 2, bytes, positions: Float64Array.of(0, bytes), counts: Uint32Array.of(1, 1) })]);

  it('has positions of 32 bits in a file below 4 GiB', () => {
    const { header } = aHeader(large(2 * gib - 1024));
    expect(boxOf(header, ...table, 'stco')?.getUint32(8)).toBe(header.length);
    expect(boxOf(header, ...table, 'co64')).toBeUndefined();
  });

  it('has positions and a size of 64 bits in a larger file', async () => {
    const { header, readTrack } = aHeader(large(3 * gib));
    const offsets = boxOf(header, ...table, 'co64');
    expect(boxOf(header, ...table, 'stco')).toBeUndefined();
    expect(offsets?.getBigUint64(8)).toBe(BigInt(header.length));
    expect(offsets?.getBigUint64(16)).toBe(BigInt(header.length + 3 * gib));
    const media = new DataView(header.buffer, header.byteOffset + header.length - 16, 16);
    expect([media.getUint32(0), media.getBigUint64(8)]).toEqual([1, BigInt(6 * gib + 16)]);
    expect((await readTrack())?.end).toBe(2);
  });

  it('has a duration of 64 bits where 31 are too few', () => {
    const { header } = aHeader(aMovie([aTrack({ timescale: 1_000_000, ticks: 2.5e8 })]));
    const media = boxOf(header, 'moov', 'trak', 'mdia', 'mdhd');
    expect([media?.getUint8(0), media?.getBigUint64(24)]).toEqual([1, BigInt(2.5e9)]);
  });
});

describe('the index of an encoded chunk', () => {
  const read = (file: Uint8Array) =>
    readMovie(async (offset, length) => file.subarray(offset, offset + length), file.length);

  it('is read with the positions of its samples', async () => {
    const movie = await read(aMovieFile());
    const { samples } = movie?.tracks[0] ?? {};
    expect(movie?.data.end).toBe((movie?.data.start ?? 0) + 10_000);
    expect([samples?.positions[0], samples?.sizes.length]).toEqual([movie?.data.start, 10]);
  });

  it.each([
    ['moov', 'free'],
    ['mvhd', 'mvex'],
    ['edts', 'tref'],
    ['stsz', 'stz2'],
    ['stts', 'subs'],
  ])('is not read with a box %s that is another, %s', async (type, other) => {
    const file = aMovieFile();
    file.set(Buffer.from(other), Buffer.from(file).indexOf(type));
    expect(await read(file)).toBeUndefined();
  });

  it('is not read if the file is cut off', async () => {
    const file = aMovieFile();
    for (const length of [0, 20, 5_000, file.length - 1]) {
      expect(await read(file.subarray(0, length))).toBeUndefined();
    }
  });
});
