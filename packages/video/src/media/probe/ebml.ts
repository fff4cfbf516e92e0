import type { ReadAt } from '../boxes.ts';

/** An element of EBML (RFC 8794): its ID with the length marker, and the positions of its data. */
export type Element = { id: number; start: number; end: number };

/** More than any header has. A hostile one may consist of empty elements. */
const maxElements = 1000;

/**
 * The elements of a parent, by their headers alone, until one of the `last` IDs. Stops at an element that is not whole; one
 * of unknown size ends with its parent.
 * @param bytesAt reads the 16 bytes from an offset, fewer at the end
 */
export async function readElements(
  bytesAt: (offset: number) => Promise<Uint8Array>,
  { start, end }: Pick<Element, 'start' | 'end'>,
  last: readonly number[],
): Promise<Element[]> {
  const elements: Element[] = [];
  for (let offset = start; offset < end && elements.length < maxElements; ) {
    const element = elementIn(await bytesAt(offset), { start: offset, end });
    if (element === undefined || element.end > end) break;
    elements.push(element);
    if (last.includes(element.id)) break;
    offset = element.end;
  }
  return elements;
}

export const headerId = 0x1a45dfa3;

const segmentId = 0x18538067;

/** Where the segment of a file of Matroska ends by its size: infinity if it is unknown. 0 for a file without one. */
export async function segmentEnd({ readAt, sizeBytes }: { readAt: ReadAt; sizeBytes: number }): Promise<number> {
  const file = { start: 0, end: sizeBytes };
  const [header] = await readElements((offset) => readAt(offset, Math.min(16, sizeBytes - offset)), file, [headerId]);
  const start = header?.end ?? 0;
  const segment = elementIn(await readAt(start, 16), { start, end: Number.POSITIVE_INFINITY });
  return segment?.id === segmentId ? segment.end : 0;
}

/** The element with these bytes at its start. Undefined for none. */
export function elementIn(bytes: Uint8Array, { start, end }: Pick<Element, 'start' | 'end'>): Element | undefined {
  const idLength = lengthOf(bytes[0]);
  const sizeLength = lengthOf(bytes[idLength]);
  if (idLength > 4 || sizeLength > 8 || bytes.length < idLength + sizeLength) return undefined;
  const id = numberOf(bytes.subarray(0, idLength));
  const sizeBytes = Uint8Array.from(bytes.subarray(idLength, idLength + sizeLength));
  sizeBytes[0] = (sizeBytes[0] ?? 0) & (0xff >> sizeLength);
  const isUnknown = sizeBytes.every((byte, index) => byte === (index === 0 ? 0xff >> sizeLength : 0xff));
  const from = start + idLength + sizeLength;
  return { id, start: from, end: isUnknown ? end : from + numberOf(sizeBytes) };
}

/** The number of bytes of a variable-size integer, by its first one. 9 for none. */
function lengthOf(first = 0): number {
  return Math.clz32(first) - 23;
}

function numberOf(bytes: Uint8Array): number {
  return bytes.reduce((value, byte) => value * 256 + byte, 0);
}
