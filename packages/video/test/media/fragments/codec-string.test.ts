import { expect, it } from 'vitest';
import { box } from '../../../src/media/boxes.ts';
import { codecString } from '../../../src/media/fragments/fragmented-file.ts';

/** A sample entry with one box in it, as hexadecimal digits. */
function entry(type: string, headerBytes: number, name: string, content: string) {
  const all = Uint8Array.from([...Buffer.alloc(headerBytes), ...box(name, Buffer.from(content, 'hex'))]);
  return { type, content: new DataView(all.buffer) };
}

it.each([
  ['avc1', 78, 'avcC', '01640028ffe1', 'avc1.640028'],
  // Main 10, level 4, main tier, with constraint bytes 90 00 00 00 00 00.
  ['hvc1', 78, 'hvcC', '0102200000009000000000007800', 'hvc1.2.4.L120.90'],
  // Profile 0, level 2.1, 10 bit.
  ['av01', 78, 'av1C', '81014c00', 'av01.0.01M.10'],
  ['mp4a', 28, 'esds', '00000000038080802200020004808080144015000000000000000000000005808080021210', 'mp4a.40.2'],
])('the codec of %s is named as by RFC 6381', (type, headerBytes, name, content, codec) => {
  expect(codecString(entry(type, headerBytes, name, content))).toBe(codec);
});

it('a codec that no ladder has is an error', () => {
  expect(() => codecString(entry('vp09', 78, 'vpcC', '00'))).toThrow(/vp09, which no ladder has/);
});
