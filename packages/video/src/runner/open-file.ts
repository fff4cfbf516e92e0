import { open } from 'node:fs/promises';
import type { ReadAt } from '../media/read-at.ts';

/** Opens a file of this disk to read ranges of it. Disposing closes it. */
export async function openFile(path: string): Promise<{ readAt: ReadAt; sizeBytes: number } & AsyncDisposable> {
  const file = await open(path);
  const { size: sizeBytes } = await file.stat();
  return {
    async readAt(offset, length) {
      const { buffer, bytesRead } = await file.read(new Uint8Array(length), 0, length, offset);
      return buffer.subarray(0, bytesRead);
    },
    sizeBytes,
    [Symbol.asyncDispose]: () => file.close(),
  };
}
