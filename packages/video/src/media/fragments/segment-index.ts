import { box, integer, integerReader, integers, longIntegers } from '../boxes.ts';

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
