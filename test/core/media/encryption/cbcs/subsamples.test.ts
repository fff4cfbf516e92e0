import { expect, it } from 'vitest';
import { subsamplesOf } from '../../../../../core/media/encryption/cbcs/subsamples.ts';

/** A sample of units, each a header byte that says how much stays clear, and zeros. */
function aSample(...units: [sizeBytes: number, clearBytes: number][]): Uint8Array {
  return Buffer.concat(
    units.map(([size, clear]) => {
      const unit = Buffer.alloc(4 + size);
      unit.writeUInt32BE(size);
      unit[4] = clear;
      return unit;
    }),
  );
}

const headers = 0;
const format = {
  lengthBytes: 4,
  headerBytes: 1,
  clearBytes: (unit: Uint8Array) => unit[0] || unit.length,
  isSei: () => false,
};

it.each<[string, [number, number][], [number, number][]]>([
  [
    'a slice',
    [[107, 7]],
    [
      [11, 96],
      [4, 0],
    ],
  ],
  ['whole blocks', [[103, 7]], [[11, 96]]],
  [
    'headers ahead of it',
    [
      [30, headers],
      [107, 7],
    ],
    [
      [45, 96],
      [4, 0],
    ],
  ],
  [
    'several slices',
    [
      [39, 7],
      [39, 7],
    ],
    [
      [11, 32],
      [11, 32],
    ],
  ],
  [
    'a rest ahead of the next slice',
    [
      [41, 7],
      [39, 7],
    ],
    [
      [11, 32],
      [13, 32],
    ],
  ],
  ['a slice shorter than a block', [[22, 7]], [[26, 0]]],
  [
    'headers longer than a field can state',
    [
      [70_000, headers],
      [39, 7],
    ],
    [
      [65_535, 0],
      [4480, 32],
    ],
  ],
])('the slice data of a frame is protected in whole blocks: %s', (_, units, expected) => {
  const sample = aSample(...units);
  const found = subsamplesOf(sample, format).map(({ clearBytes, protectedBytes }) => [
    clearBytes,
    protectedBytes,
  ]);
  expect(found).toEqual(expected);
  expect(found.flat().reduce((sum, bytes = 0) => sum + bytes, 0)).toBe(sample.length);
});

it('a sample that ends within a unit is an error', () => {
  const sample = aSample([39, 7]).subarray(0, 40);
  expect(() => subsamplesOf(sample, format)).toThrow('A sample ends within a NAL unit');
});
