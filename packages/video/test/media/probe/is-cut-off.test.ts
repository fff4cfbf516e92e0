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

/** A pack header of MPEG-2, and a packet of quiet PCM, whose samples 0 and 448 look like a start code. */
const quietPack = Buffer.from(['000001ba4400040004010189c3f8', '000001bd0008', '800000', '000001c07f'].join(''), 'hex');

it.each([
  ['a packet ends', quietPack, false],
  ['zeros follow', Buffer.concat([quietPack, Buffer.alloc(40)]), false],
  ['a packet is not whole', quietPack.subarray(0, -2), true],
  ['a pack header is not whole', Buffer.concat([quietPack, quietPack.subarray(0, 8)]), true],
  ['a pack of MPEG-1 ends', Buffer.from('000001ba210001000180000100000001b9', 'hex').subarray(0, 12), false],
])('an MPEG-PS at whose end %s', (_, end, expected) => {
  expect(isCutOff('mpeg', Buffer.concat([quietPack, end]))).toBe(expected);
});
