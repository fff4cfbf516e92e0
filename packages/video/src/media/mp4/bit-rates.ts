import { type Box, bytesOf, copyOf, findBox, readBoxes } from '../boxes.ts';

/** Bits per second of a track. */
export type BitRates = { average: number; max: number };

/** A sample description with these bit rates, which ffmpeg computes for the whole file (`btrt`, `esds`). */
export function withBitRates(description: DataView, rates: BitRates): DataView {
  const copy = copyOf(description);
  for (const field of rateFields(copy)) {
    field.setUint32(0, rates.max);
    field.setUint32(4, rates.average);
  }
  return copy;
}

/** The highest bit rate that a sample description states. */
export function maxBitRate(description: DataView): number {
  return Math.max(0, ...rateFields(description).map((field) => field.getUint32(0)));
}

/** Whether decoders are set up in the same way by both: they differ in bit rates at most. */
export function areSameDescriptions(left: DataView, right: DataView): boolean {
  const [one, other] = [left, right].map((each) => bytesOf(withBitRates(each, { average: 0, max: 0 })));
  return one?.length === other?.length && one?.every((byte, index) => byte === other?.[index]) === true;
}

/** The maximum and the average, 8 bytes, wherever the description has them. */
function rateFields(description: DataView): DataView[] {
  // Version, flags and a count precede the entry; its own header has 8 bytes.
  const [entry] = readBoxes(description, 8);
  if (entry === undefined) return [];
  const children = readBoxes(entry.content, entryBytes(entry));
  const boxes = [...children, ...readBoxes(findBox(children, 'wave') ?? new DataView(new ArrayBuffer(0)))];
  return [...rateBoxes(boxes, 'btrt', 4), ...boxes.filter(({ type }) => type === 'esds').flatMap(decoderRates)];
}

function rateBoxes(boxes: readonly Box[], type: string, at: number): DataView[] {
  return boxes
    .filter((box) => box.type === type && box.content.byteLength >= at + 8)
    .map(({ content }) => new DataView(content.buffer, content.byteOffset + at, 8));
}

/** The bytes of a sample entry before its boxes: audio has three versions in QuickTime. */
function entryBytes({ type, content }: Box): number {
  const isVideo = ['avc1', 'hvc1', 'hev1', 'av01', 'vp09'].includes(type);
  if (isVideo) return 78;
  const version = content.getUint16(8);
  return 28 + (version === 1 ? 16 : version === 2 ? 36 : 0);
}

/** In the decoder configuration of the elementary stream, after type and buffer size. */
function decoderRates({ content }: Box): DataView[] {
  const start = descriptorStart(content, [3, 4]);
  return start === undefined ? [] : [new DataView(content.buffer, content.byteOffset + start + 5, 8)];
}

/** The fields of a descriptor ahead of the one that it holds, by its tag (ISO/IEC 14496-1, 7.2.6): 3 holds 4, which holds 5. */
const fieldBytes: Record<number, number> = { 3: 3, 4: 13 };

/** Where the content of a nested descriptor of an `esds` begins. Undefined if there is another one in its place. */
export function descriptorStart(esds: DataView, tags: readonly number[]): number | undefined {
  // Behind the version and the flags.
  let offset = 4;
  for (const [depth, tag] of tags.entries()) {
    offset += fieldBytes[tags[depth - 1] ?? 0] ?? 0;
    if (esds.getUint8(offset) !== tag) return undefined;
    do offset += 1;
    while (esds.getUint8(offset) & 0x80);
    offset += 1;
  }
  return offset;
}
