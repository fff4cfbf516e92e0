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

/**
 * The bytes of a unit after its header, without emulation prevention bytes: the 3 in 0, 0, 3 (ISO/IEC 14496-10 and 23008-2,
 * section 7.3.1.1).
 */
export function nalPayload(unit: Uint8Array, headerBytes: number): Uint8Array {
  return unit
    .subarray(headerBytes)
    .filter((byte, at, payload) => byte !== 3 || payload[at - 1] !== 0 || payload[at - 2] !== 0);
}
