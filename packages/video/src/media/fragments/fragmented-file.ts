import { JobError } from '../../errors.ts';
import { type Box, fourCharacters, integerReader, part, type ReadAt, viewOf } from '../boxes.ts';
import { configurationOf, sampleEntryOf } from './sample-entry.ts';
import { type Fragment, readSegmentIndex } from './segment-index.ts';
import { readSamples, type Sample } from './write-fragment.ts';

/** The structure of a fragmented MP4 with one track and one index. */
export type FragmentedFile = {
  /** `ftyp` and `moov`, from the start of the file. */
  initBytes: number;
  /** The segment index box that lists all fragments. */
  index: { offset: number; sizeBytes: number };
  /** RFC 6381's name, such as `avc1.640028`. */
  codec: string;
  /** Of the index and of the times of samples. */
  ticksPerSecond: number;
  fragments: Fragment[];
};

const headerBytes = 8;

/**
 * Reads the boxes before the first fragment of a file that `fragmentArguments` wrote.
 * @throws RangeError if it is another kind of file, and JobError TRANSCODE_ERROR if it has no segment
 */
export async function readFragmentedFile(readAt: ReadAt): Promise<FragmentedFile> {
  let offset = 0;
  let codec: string | undefined;
  for (;;) {
    const { type, sizeBytes } = await headerAt(readAt, offset);
    if (type === 'moov')
      codec = codecString(sampleEntryOf([{ type, content: await contentAt(readAt, offset, sizeBytes) }]));
    if (type === 'sidx') {
      if (codec === undefined) throw new RangeError('A fragmented file has its index before its moov');
      const content = await contentAt(readAt, offset, sizeBytes);
      return {
        initBytes: offset,
        index: { offset, sizeBytes },
        codec,
        ...readSegmentIndex(content, offset + sizeBytes),
      };
    }
    if (!['ftyp', 'moov', 'free'].includes(type)) {
      throw new RangeError(`A fragmented file has ${type} where its index is expected`);
    }
    offset += sizeBytes;
  }
}

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

/** The samples of a fragment, in decoding order. The first of a video is a keyframe. */
export async function fragmentSamples(readAt: ReadAt, { offset }: Pick<Fragment, 'offset'>): Promise<Sample[]> {
  const { type, sizeBytes } = await headerAt(readAt, offset);
  if (type !== 'moof') throw new RangeError(`A fragment starts with ${type}`);
  return readSamples(await contentAt(readAt, offset, sizeBytes));
}

async function headerAt(readAt: ReadAt, offset: number): Promise<{ type: string; sizeBytes: number }> {
  const header = viewOf(await readAt(offset, headerBytes));
  if (header.byteLength < headerBytes) {
    const message = 'The finished stream has no segment. The input is probably damaged or truncated';
    throw new JobError('TRANSCODE_ERROR', message);
  }
  return { type: fourCharacters(header, 4), sizeBytes: header.getUint32(0) };
}

async function contentAt(readAt: ReadAt, offset: number, sizeBytes: number): Promise<DataView> {
  return viewOf(await readAt(offset + headerBytes, sizeBytes - headerBytes));
}
