import { expect, it } from 'vitest';
import { isCutOff } from '../../../src/media/probe/wholeness.ts';

/** A page of Ogg with segments of these bytes. */
const page = (...segments: number[]) =>
  Buffer.concat([
    Buffer.from('OggS'),
    Buffer.alloc(22),
    Buffer.from([segments.length, ...segments]),
    Buffer.alloc(segments.reduce((sum, bytes) => sum + bytes, 0)),
  ]);

it.each([
  ['a packet ends', page(255, 20), false],
  ['a packet of 255 bytes ends', page(255, 0), false],
  ['a packet goes on with the next page', page(20, 255), true],
  ['a page is not whole', page(20, 30).subarray(0, -1), true],
])('an Ogg at whose end %s', (_, end, expected) => {
  expect(isCutOff('ogg', end)).toBe(expected);
});
