import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

/** The SHA-256 of a file as 64 hexadecimal digits, in constant memory. */
export async function hashFile(path: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  // Larger reads than Node's default of 64 KiB: a file that was just written is in memory.
  await pipeline(createReadStream(path, { highWaterMark: 2 ** 20 }), hash, { signal });
  return hash.digest('hex');
}
