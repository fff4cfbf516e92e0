import { fourCharacters, type ReadAt, viewOf } from '../boxes.ts';

export type RiffChunk = {
  name: string;
  /** The first 16 bytes at most. */
  content: DataView;
  /** Offset of the content in the file. */
  start: number;
};

const headerBytes = 8;
const contentBytes = 16;

/** More than any real animation has. A hostile file may have millions. */
const maxChunks = 20_000;

/**
 * The chunks of a RIFF file of this kind, such as `WEBP`. Undefined for any other file, and for a truncated one. The chunks
 * end with `undefined` if one does not fit into the file, or if there are too many.
 */
export async function readRiff(
  readAt: ReadAt,
  kind: string,
): Promise<AsyncGenerator<RiffChunk | undefined> | undefined> {
  const bytes = await readAt(0, 12);
  if (bytes.length < 12) return undefined;
  const view = viewOf(bytes);
  if (fourCharacters(view, 0) !== 'RIFF' || fourCharacters(view, 8) !== kind) return undefined;
  const end = headerBytes + view.getUint32(4, true);
  const isWhole = (await readAt(end - 1, 1)).length === 1;
  return isWhole ? chunksUntil(readAt, end) : undefined;
}

async function* chunksUntil(readAt: ReadAt, end: number): AsyncGenerator<RiffChunk | undefined> {
  let offset = 12;
  for (let count = 0; offset < end; count += 1) {
    if (count > maxChunks || offset + headerBytes > end) return yield undefined;
    const bytes = await readAt(offset, headerBytes + contentBytes);
    const view = viewOf(bytes);
    const sizeBytes = view.getUint32(4, true);
    const start = offset + headerBytes;
    offset = start + sizeBytes + (sizeBytes % 2);
    if (offset > end) return yield undefined;
    const content = viewOf(bytes.subarray(headerBytes, headerBytes + sizeBytes));
    yield { name: fourCharacters(view, 0), content, start };
  }
}
