import { JobError } from '../../errors.ts';
import {
  type Box,
  box,
  boxAt,
  bytesOf,
  copyOf,
  findBox,
  fourCharacters,
  integer,
  integerReader,
  integers,
  longIntegers,
  part,
  type ReadAt,
  readBoxes,
  replaceContent,
  viewOf,
} from '../boxes.ts';
import { descriptorStart } from '../mp4/bit-rates.ts';
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
    if (type === 'moov') codec = codecString(sampleEntryOf(await contentAt(readAt, offset, sizeBytes)));
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
  const start = descriptorStart(descriptors, [3, 4, 5]);
  if (start === undefined) throw new RangeError('An esds has no configuration of its decoder');
  return descriptors.getUint8(start) >> 3;
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

/** Bytes of a sample entry before its child boxes (ISO/IEC 14496-12, sections 12.1.3 and 12.2.3). */
const fieldBytes = { video: 78, audio: 28 };

type TrackKind = keyof typeof fieldBytes;

/** The content of a box in a sample entry, such as `avcC`. @throws RangeError if there is none */
export function configurationOf({ content }: Pick<Box, 'content'>, type: string, kind: TrackKind): DataView {
  const box = findBox(readBoxes(content, fieldBytes[kind]), type);
  if (box === undefined) throw new RangeError(`A sample entry has no ${type}`);
  return box;
}

// Version and flags, and the number of entries.
const listHeaderBytes = 8;

/** The content of `stsd`, from that of a `moov` with one track. @throws RangeError if a box is missing */
export function sampleDescriptionOf(movie: DataView): DataView {
  const description = boxAt(movie, 'trak', 'mdia', 'minf', 'stbl', 'stsd');
  if (description === undefined) throw new RangeError('A file in fragments has no stsd');
  return description;
}

/** The sample entry of a movie with one track. @throws RangeError if a box is missing */
export function sampleEntryOf(movie: DataView): Box {
  const [entry] = readBoxes(sampleDescriptionOf(movie), listHeaderBytes);
  if (entry === undefined) throw new RangeError('A file in fragments has no sample entry');
  return entry;
}

const longVersion = 1;

/** An initialization section whose track is shown from `mediaTime` on: in the last edit of its list. */
export function withMediaTime(init: Uint8Array, mediaTime: number): Uint8Array {
  return replaceContent(viewOf(init), ['moov', 'trak', 'edts', 'elst'], (list) => {
    const changed = copyOf(list);
    const end = changed.byteLength;
    // A duration, the media time and a rate of 4 bytes.
    if (changed.getUint8(0) === longVersion) changed.setBigInt64(end - 12, BigInt(mediaTime));
    else changed.setInt32(end - 8, mediaTime);
    return bytesOf(changed);
  });
}

/** A `moof` and its `mdat`: the unit that both manifests refer to. Video has one for each keyframe. */
export type Fragment = {
  /** Of the file, in bytes. */
  offset: number;
  sizeBytes: number;
  seconds: number;
};

/**
 * A segment index whose references are fragments (ISO/IEC 14496-12, section 8.16.3).
 * @param from the byte of the file after the box
 */
export function readSegmentIndex(index: DataView, from: number): { ticksPerSecond: number; fragments: Fragment[] } {
  const read = integerReader(index);
  const version = read(1);
  read(3 + 4);
  const ticksPerSecond = read(4);
  const wideBytes = version === 0 ? 4 : 8;
  read(wideBytes);
  let offset = from + read(wideBytes);
  read(2);
  const fragments = Array.from({ length: read(2) }, () => {
    const sizeBytes = read(4) & 0x7f_ff_ff_ff;
    const fragment = { offset, sizeBytes, seconds: read(4) / ticksPerSecond };
    read(4);
    offset += sizeBytes;
    return fragment;
  });
  return { ticksPerSecond, fragments };
}

/** The count of references has 16 bits. */
const maxFragments = 65_535;

/** Each fragment starts with a keyframe (`starts_with_SAP`). */
const startsWithKeyframe = 0x80_00_00_00;

/**
 * A segment index box, as ffmpeg writes it: of one track whose fragments follow it.
 * @param fragments their sizes, and how long each is shown
 * @throws RangeError for more fragments than an index can list
 */
export function segmentIndex(
  fragments: readonly { sizeBytes: number; ticks: number }[],
  ticksPerSecond: number,
): Uint8Array {
  const { length: count } = fragments;
  if (count > maxFragments) throw new RangeError(`A segment index cannot list ${count} fragments`);
  const version = 0x01_00_00_00;
  const track = 1;
  return box(
    'sidx',
    integers(version, track, ticksPerSecond),
    longIntegers([0, 0]),
    ...[integer(0, 2), integer(count, 2)],
    ...fragments.map(({ sizeBytes, ticks }) => integers(sizeBytes, ticks, startsWithKeyframe)),
  );
}
