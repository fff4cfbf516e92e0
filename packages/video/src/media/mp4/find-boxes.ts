import { fourCharacters } from '../boxes.ts';
import type { ReadAt } from '../read-at.ts';

/** A box of a file that is read in parts: the positions of its content. */
export type BoxAt = { type: string; start: number; end: number };

/** More than any real file has beside each other. A hostile one may consist of nothing but empty boxes. */
const maxBoxes = 1000;

/** The boxes from `start` to `end`, or as far as the first of type `last`, by their headers alone. Undefined if they are not whole or too many. */
export async function findBoxes(
  readAt: ReadAt,
  { start, end }: Pick<BoxAt, 'start' | 'end'>,
  last?: string,
): Promise<BoxAt[] | undefined> {
  const boxes: BoxAt[] = [];
  let offset = start;
  while (offset + 8 <= end) {
    const box = boxes.length === maxBoxes ? undefined : await boxHeaderAt(readAt, { start: offset, end });
    if (box === undefined || box.end > end) return undefined;
    boxes.push(box);
    if (box.type === last) break;
    offset = box.end;
  }
  return boxes;
}

/** The box that begins at `start`, which may reach beyond `end`. Undefined without a whole header. */
export async function boxHeaderAt(
  readAt: ReadAt,
  { start, end }: Pick<BoxAt, 'start' | 'end'>,
): Promise<BoxAt | undefined> {
  const bytes = await readAt(start, Math.min(16, end - start));
  if (bytes.length < 8) return undefined;
  return boxAt(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), { start, end });
}

function boxAt(header: DataView, { start, end }: Pick<BoxAt, 'start' | 'end'>): BoxAt | undefined {
  const type = fourCharacters(header, 4);
  const short = header.getUint32(0);
  if (short === 0) return { type, start: start + 8, end };
  if (short !== 1) return short < 8 ? undefined : { type, start: start + 8, end: start + short };
  if (header.byteLength < 16) return undefined;
  const size = Number(header.getBigUint64(8));
  return size < 16 ? undefined : { type, start: start + 16, end: start + size };
}
