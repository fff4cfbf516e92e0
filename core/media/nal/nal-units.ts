/** The NAL units of a sample, each of which follows its length. */
export function* nalUnits(sample: Uint8Array, lengthBytes: number): Generator<Uint8Array> {
  for (let offset = 0; offset < sample.length; ) {
    const start = offset + lengthBytes;
    const end = start + sample.subarray(offset, start).reduce((length, byte) => length * 256 + byte, 0);
    if (start > sample.length || end > sample.length) throw new RangeError('A sample ends within a NAL unit');
    yield sample.subarray(start, end);
    offset = end;
  }
}
