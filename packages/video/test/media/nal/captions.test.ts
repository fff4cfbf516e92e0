import { expect, it } from 'vitest';
import { hasCaptionPairs } from '../../../src/media/nal/carries-captions.ts';

const sei = 6;
const format = { lengthBytes: 4, headerBytes: 1, isSei: (unit: Uint8Array) => unit[0] === sei };

/** A unit with messages of a type and content, after its length. */
function aUnit(header: number, ...messages: [type: number, content: readonly number[]][]): Buffer {
  const bytes = messages.flatMap(([type, content]) => [type, content.length, ...content]);
  const unit = Buffer.from([header, ...bytes, 0x80]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(unit.length);
  return Buffer.concat([length, unit]);
}

/** Captions of ATSC with a marker and two bytes for each pair. */
const captions = (...pairs: number[][]): [number, number[]] => [
  4,
  [0xb5, 0x00, 0x31, 0x47, 0x41, 0x39, 0x34, 0x03, 0x40 | pairs.length, 0xff, ...pairs.flat(), 0xff],
];

const captionMessage = (([type, content]) => [type, content.length, ...content])(captions([0xfc, 0xc8, 0x45]));

it.each<[string, Buffer, boolean]>([
  ['characters', aUnit(sei, captions([0xfc, 0xc8, 0x45])), true],
  [
    'characters behind an empty pair and another message',
    aUnit(sei, [5, [1, 2]], captions([0xfc, 0x80, 0x80], [0xfc, 0x20, 0x80])),
    true,
  ],
  [
    'characters behind bytes of emulation prevention',
    Buffer.from([0, 0, 0, 26, sei, 5, 4, 0, 0, 3, 0, 0, 3, ...captionMessage, 0x80]),
    true,
  ],
  ['empty pairs', aUnit(sei, captions([0xfc, 0x80, 0x80], [0xfc, 0x80, 0x80])), false],
  ['pairs that are marked as invalid', aUnit(sei, captions([0xf8, 0xc8, 0x45])), false],
  ['the second field', aUnit(sei, captions([0xfd, 0xc8, 0x45])), false],
  ['CEA-708', aUnit(sei, captions([0xff, 0xc8, 0x45])), false],
  ['a message of another provider', aUnit(sei, [4, [0xb5, 0x00, 0x3c, 0, 1, 4]]), false],
  ['a unit of another type', aUnit(1, captions([0xfc, 0xc8, 0x45])), false],
])('a frame with %s has captions in its first field, or not', (_, sample, expected) => {
  expect(hasCaptionPairs(sample, format)).toBe(expected);
});
