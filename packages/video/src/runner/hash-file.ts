import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';

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
