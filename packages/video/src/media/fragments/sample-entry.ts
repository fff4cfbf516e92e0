import { type Box, bytesOf, copyOf, findBox, readBoxes, replaceContent, viewOf } from '../boxes.ts';

/** Bytes of a sample entry before its child boxes (ISO/IEC 14496-12, sections 12.1.3 and 12.2.3). */
const fieldBytes = { video: 78, audio: 28 };

export type TrackKind = keyof typeof fieldBytes;

/**
 * The content of a box in a sample entry, such as `avcC`.
 * @throws RangeError if there is none
 */
export function configurationOf({ content }: Pick<Box, 'content'>, type: string, kind: TrackKind): DataView {
  const box = findBox(readBoxes(content, fieldBytes[kind]), type);
  if (box === undefined) throw new RangeError(`A sample entry has no ${type}`);
  return box;
}

const containers = ['moov', 'trak', 'mdia', 'minf', 'stbl'];

// Version and flags, and the number of entries.
const listHeaderBytes = 8;

/**
 * The content of `stsd` of a file with one track.
 * @param boxes those of the file, with `moov`
 * @throws RangeError if a box is missing
 */
export function sampleDescriptionOf(boxes: readonly Box[]): DataView {
  let contents = boxes;
  for (const type of containers) contents = readBoxes(requireBox(contents, type));
  return requireBox(contents, 'stsd');
}

/**
 * The sample entry of a file with one track.
 * @param boxes those of the file, with `moov`
 * @throws RangeError if a box is missing
 */
export function sampleEntryOf(boxes: readonly Box[]): Box {
  const [entry] = readBoxes(sampleDescriptionOf(boxes), listHeaderBytes);
  if (entry === undefined) throw new RangeError('A fragmented file has no sample entry');
  return entry;
}

function requireBox(boxes: readonly Box[], type: string): DataView {
  const content = findBox(boxes, type);
  if (content === undefined) throw new RangeError(`A fragmented file has no ${type}`);
  return content;
}

const longVersion = 1;

/**
 * An initialization section whose track is shown from `mediaTime` on, in its ticks.
 * @param init `ftyp` and `moov` with an edit list, whose last edit is the one of the media
 */
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
