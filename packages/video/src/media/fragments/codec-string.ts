import { type Box, integerReader, part } from '../boxes.ts';
import { configurationOf } from './sample-entry.ts';

/**
 * The codec of a sample entry as RFC 6381 names it, such as `avc1.640028`.
 * @throws RangeError for a codec that no ladder has
 */
export function codecString(entry: Box): string {
  const { type } = entry;
  switch (type) {
    case 'avc1':
      return `avc1.${hex(configurationOf(entry, 'avcC', 'video'), 1, 3)}`;
    case 'hvc1':
      return hevcCodec(configurationOf(entry, 'hvcC', 'video'));
    case 'av01':
      return av1Codec(configurationOf(entry, 'av1C', 'video'));
    case 'mp4a':
      return `mp4a.40.${audioObjectType(configurationOf(entry, 'esds', 'audio'))}`;
    default:
      throw new RangeError(`A stream has the sample entry ${type}, which no ladder has`);
  }
}

/** ISO/IEC 14496-15, annex E.3: profile, reversed compatibility flags, tier and level, constraint bytes. */
function hevcCodec(record: DataView): string {
  const profile = record.getUint8(1);
  const space = ['', 'A', 'B', 'C'][profile >> 6];
  const tier = profile & 0x20 ? 'H' : 'L';
  const constraints = Array.from({ length: 6 }, (_, index) => record.getUint8(6 + index));
  while (constraints.at(-1) === 0) constraints.pop();
  return [
    `hvc1.${space}${profile & 0x1f}`,
    reverseBits(record.getUint32(2)).toString(16).toUpperCase(),
    `${tier}${record.getUint8(12)}`,
    ...constraints.map((byte) => byte.toString(16).toUpperCase()),
  ].join('.');
}

function reverseBits(word: number): number {
  let reversed = 0;
  for (let bit = 0; bit < 32; bit += 1) if (word & (1 << bit)) reversed |= 1 << (31 - bit);
  return reversed >>> 0;
}

/** AV1 Codec ISO Media File Format Binding, section 5: profile, level with tier, bit depth. */
function av1Codec(record: DataView): string {
  const [profileAndLevel, flags] = [record.getUint8(1), record.getUint8(2)];
  const level = String(profileAndLevel & 0x1f).padStart(2, '0');
  const tier = flags & 0x80 ? 'H' : 'M';
  const depth = flags & 0x40 ? (flags & 0x20 ? '12' : '10') : '08';
  return `av01.${profileAndLevel >> 5}.${level}${tier}.${depth}`;
}

/** The first five bits of the decoder's configuration (ISO/IEC 14496-3, section 1.6.2.1). */
function audioObjectType(descriptors: DataView): number {
  // Version and flags, then nested descriptors: 3 holds 4, which holds 5, the configuration.
  const headers = [
    { tag: 3, skip: 3 },
    { tag: 4, skip: 13 },
    { tag: 5, skip: 0 },
  ];
  let offset = 4;
  for (const { tag, skip } of headers) {
    const read = integerReader(descriptors, offset);
    if (read(1) !== tag) throw new RangeError(`Expected descriptor ${tag} in an esds`);
    let lengthBytes = 1;
    while (read(1) & 0x80) lengthBytes += 1;
    offset += 1 + lengthBytes + skip;
  }
  return descriptors.getUint8(offset) >> 3;
}

function hex(view: DataView, from: number, length: number): string {
  const bytes = part(view, from, length);
  return Array.from({ length }, (_, index) => bytes.getUint8(index).toString(16).padStart(2, '0')).join('');
}
