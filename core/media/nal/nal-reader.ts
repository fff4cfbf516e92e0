/** Reads the fields of a NAL unit, one after the other. */
export type NalReader = {
  /** An unsigned integer of at most 32 bits. */
  bits(count: number): number;
  flag(): boolean;
  /** An unsigned integer in Exp-Golomb code. */
  unsigned(): number;
  /** A signed integer in Exp-Golomb code. */
  signed(): number;
  skip(bits: number): void;
  /** How many bytes of the unit are read, the last of them maybe in part. Counts emulation prevention bytes. */
  readBytes(): number;
};

// The longest code of 32 bits.
const maxLeadingZeros = 32;

/**
 * Skips emulation prevention bytes: the 3 in 0, 0, 3 (ISO/IEC 14496-10 and 23008-2, section 7.3.1.1).
 * @param from the first byte to read, after the header of the unit
 * @throws RangeError past the end of the unit
 */
export function nalReader(unit: Uint8Array, from: number): NalReader {
  let offset = from;
  let bitsLeft = 8;
  const nextByte = () => {
    offset += 1;
    bitsLeft = 8;
    if (unit[offset] === 3 && unit[offset - 1] === 0 && unit[offset - 2] === 0) offset += 1;
  };
  const bit = () => {
    if (bitsLeft === 0) nextByte();
    const byte = unit[offset];
    if (byte === undefined) throw new RangeError('A NAL unit ends within its header');
    bitsLeft -= 1;
    return (byte >> bitsLeft) & 1;
  };
  const bits = (count: number) => {
    let value = 0;
    for (let read = 0; read < count; read += 1) value = value * 2 + bit();
    return value;
  };
  const unsigned = () => {
    let zeros = 0;
    while (bit() === 0) {
      zeros += 1;
      if (zeros > maxLeadingZeros) throw new RangeError('A NAL unit has a number of more than 32 bits');
    }
    return 2 ** zeros - 1 + bits(zeros);
  };
  return {
    bits,
    flag: () => bit() === 1,
    unsigned,
    signed() {
      const code = unsigned();
      return code % 2 === 1 ? (code + 1) / 2 : -code / 2;
    },
    skip: (count) => void bits(count),
    readBytes: () => offset + (bitsLeft === 8 ? 0 : 1),
  };
}
