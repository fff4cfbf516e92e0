import { inflateSync } from 'node:zlib';
import { fourCharacters, type ReadAt, viewOf } from '../boxes.ts';

/** Longer than any real profile, compressed or not. */
const maxProfileBytes = 4_000_000;

const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** A PNG has a chunk for each 8 KB or more. A hostile file may have millions. */
const maxChunks = 20_000;

/**
 * Finds the content of the first chunk of a type in a PNG. Undefined if there is none before a chunk of the type `before`,
 * and for a file that is no PNG.
 */
export async function findPngChunk(
  readAt: ReadAt,
  { type, before }: { type: string; before?: string },
): Promise<{ offset: number; sizeBytes: number } | undefined> {
  const start = await readAt(0, signature.length);
  if (!signature.every((value, index) => start[index] === value)) return undefined;
  let offset = signature.length;
  for (let count = 0; count < maxChunks; count += 1) {
    const header = await readAt(offset, 8);
    if (header.length < 8) return undefined;
    const view = viewOf(header);
    const sizeBytes = view.getUint32(0);
    const found = fourCharacters(view, 4);
    if (found === type) return { offset: offset + 8, sizeBytes };
    if (found === before) return undefined;
    offset += 12 + sizeBytes;
  }
  return undefined;
}

/** The ICC profile of a PNG. Undefined if there is none, or the file is no PNG. */
export async function readPngProfile(readAt: ReadAt): Promise<Uint8Array | undefined> {
  const chunk = await findPngChunk(readAt, { type: 'iCCP', before: 'IDAT' });
  if (chunk === undefined || chunk.sizeBytes > maxProfileBytes) return undefined;
  const content = await readAt(chunk.offset, chunk.sizeBytes);
  return content.length < chunk.sizeBytes ? undefined : inflate(content.subarray(content.indexOf(0) + 2));
}

function inflate(compressed: Uint8Array): Uint8Array | undefined {
  try {
    return inflateSync(compressed, { maxOutputLength: maxProfileBytes });
  } catch {
    return undefined; // Damaged, or too long.
  }
}
