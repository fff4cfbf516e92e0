import { type Box, findBox, readBoxes } from '../boxes.ts';

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

const path = ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd'];

// Version and flags, and the number of entries.
const listHeaderBytes = 8;

/**
 * The sample entry of a file with one track.
 * @param boxes those of the file, with `moov`
 * @throws RangeError if a box is missing
 */
export function sampleEntryOf(boxes: readonly Box[]): Box {
  let contents = boxes;
  for (const type of path) {
    const content = findBox(contents, type);
    if (content === undefined) throw new RangeError(`A fragmented file has no ${type}`);
    contents = readBoxes(content, type === 'stsd' ? listHeaderBytes : 0);
  }
  const [entry] = contents;
  if (entry === undefined) throw new RangeError('A fragmented file has no sample entry');
  return entry;
}
