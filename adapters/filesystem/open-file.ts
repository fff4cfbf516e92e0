import type { FileHandle } from 'node:fs/promises';
import type { ReadAt } from '../../core/media/read-at.ts';

/** Reads ranges of an open file. */
export function readFileAt(file: FileHandle): ReadAt {
  return async (offset, length) => {
    const { buffer, bytesRead } = await file.read(new Uint8Array(length), 0, length, offset);
    return buffer.subarray(0, bytesRead);
  };
}
