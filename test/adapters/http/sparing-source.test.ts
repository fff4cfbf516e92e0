import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { sparingSource } from '../../../adapters/http/range-proxy.ts';

const mebibyte = 1_024 * 1_024;
const file = randomBytes(24 * mebibyte);

/** Sends pieces of 60,000 bytes, and records what was requested and what was sent of it. */
function aSource() {
  const requested: [start: number, end: number][] = [];
  const traffic = { bytes: 0 };
  const source = sparingSource({
    totalBytes: file.length,
    async *read({ start, end }) {
      requested.push([start, end]);
      for (let from = start; from < end; from += 60_000) {
        const piece = file.subarray(from, Math.min(from + 60_000, end));
        traffic.bytes += piece.length;
        yield piece;
      }
    },
  });
  const { signal } = new AbortController();
  /** Leaves once it has so many bytes. */
  const read = async (start: number, end: number, leaveAfter = end - start) => {
    const pieces: Buffer[] = [];
    let length = 0;
    for await (const piece of source.read({ start, end }, signal)) {
      pieces.push(piece);
      length += piece.length;
      if (length >= leaveAfter) break;
    }
    return Buffer.concat(pieces);
  };
  return { read, requested, traffic };
}

it('a reader that leaves early has requested at most 256 KiB more than twice what it took', async () => {
  for (const taken of [1, 300_000, mebibyte, 3 * mebibyte]) {
    const { read, requested } = aSource();
    await read(48, file.length, taken);
    expect(requested.at(-1)?.[1]).toBeLessThanOrEqual(48 + 2 * taken + 256 * 1_024);
  }
});

it('a reader that stays gets the file in five requests, and a range that ends before the file in one', async () => {
  const { read, requested } = aSource();
  expect((await read(0, file.length)).equals(file)).toBe(true);
  expect(requested).toHaveLength(5);
  const other = aSource();
  expect((await other.read(7, 9 * mebibyte)).equals(file.subarray(7, 9 * mebibyte))).toBe(true);
  expect(other.requested).toEqual([[7, 9 * mebibyte]]);
});

it('bytes that were read once are not requested again, whatever part of them', async () => {
  const { read, requested, traffic } = aSource();
  await read(1_000_000, 1_400_000);
  await read(0, file.length, 900_000);
  const { bytes } = traffic;
  requested.length = 0;
  expect((await read(123, 800_123)).equals(file.subarray(123, 800_123))).toBe(true);
  expect((await read(1_030_001, 1_390_000)).equals(file.subarray(1_030_001, 1_390_000))).toBe(true);
  expect([requested, traffic.bytes]).toEqual([[], bytes]);
  // A gap between kept bytes is requested up to them.
  expect((await read(900_000, 1_500_000)).equals(file.subarray(900_000, 1_500_000))).toBe(true);
  expect(requested.flat().every((place) => place <= 1_000_000 || place >= 1_400_000)).toBe(true);
});

it('at most 16 MiB are kept', async () => {
  const { read, traffic } = aSource();
  await read(0, file.length);
  traffic.bytes = 0;
  await read(0, file.length);
  expect(traffic.bytes).toBeGreaterThanOrEqual(8 * mebibyte);
});
