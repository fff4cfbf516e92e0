import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import type { ReadAt } from '../media/boxes.ts';
import type { EditedFile } from '../media/outputs/language-tags.ts';

/** Opens a file of this disk to read ranges of it. Disposing closes it. */
export async function openFile(path: string): Promise<{ readAt: ReadAt; sizeBytes: number } & AsyncDisposable> {
  return opened(await open(path));
}

/** Opens a file of this disk to change bytes of it in place. Disposing closes it. */
export async function editFile(path: string): Promise<EditedFile & AsyncDisposable> {
  const file = await open(path, 'r+');
  const writeAt = async (offset: number, bytes: Uint8Array) => void (await file.write(bytes, 0, bytes.length, offset));
  return { ...(await opened(file)), writeAt };
}

async function opened(file: FileHandle) {
  const { size: sizeBytes } = await file.stat();
  return {
    async readAt(offset: number, length: number) {
      const { buffer, bytesRead } = await file.read(new Uint8Array(length), 0, length, offset);
      return buffer.subarray(0, bytesRead);
    },
    sizeBytes,
    [Symbol.asyncDispose]: () => file.close(),
  };
}

const blockBytes = 2 ** 20;

/**
 * The SHA-256 of a file as 64 hexadecimal digits. One block is read again and again: V8 would collect the blocks of a stream
 * only after dozens of megabytes.
 */
export async function hashFile(path: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  const block = Buffer.allocUnsafeSlow(blockBytes);
  await using file = await open(path);
  for (;;) {
    signal?.throwIfAborted();
    const { bytesRead } = await file.read(block, 0, blockBytes, null);
    if (bytesRead === 0) return hash.digest('hex');
    hash.update(block.subarray(0, bytesRead));
  }
}
