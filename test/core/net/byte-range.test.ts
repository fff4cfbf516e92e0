import { expect, it } from 'vitest';
import { parseByteRange } from '../../../core/net/byte-range.ts';

it.each([
  ['bytes=0-', { start: 0, end: 100 }],
  ['bytes=40-', { start: 40, end: 100 }],
  ['bytes=40-59', { start: 40, end: 60 }],
  ['bytes=99-99', { start: 99, end: 100 }],
  ['bytes=40-1000', { start: 40, end: 100 }],
])('the range %s of 100 bytes is %o', (header, range) => expect(parseByteRange(header, 100)).toEqual(range));

it.each(['bytes=100-', 'bytes=100-200', `bytes=${'9'.repeat(40)}-`])(
  'the range %s of 100 bytes is unsatisfiable',
  (header) => expect(parseByteRange(header, 100)).toBe('unsatisfiable'),
);

it('every range of an empty file is unsatisfiable', () => expect(parseByteRange('bytes=0-', 0)).toBe('unsatisfiable'));

it.each([undefined, '', 'bytes=', 'bytes=-10', 'bytes=9-5', 'bytes=0-1,5-6', 'lines=0-', 'bytes=1e1-', 'bytes= 1-'])(
  'the header %j selects the whole file',
  (header) => expect(parseByteRange(header, 100)).toBeUndefined(),
);
