import { createCipheriv } from 'node:crypto';
import { blockBytes } from './subsamples.ts';

/** How many blocks are encrypted, then how many stay clear, and so on. */
export type Pattern = { encryptedBlocks: number; clearBlocks: number };

/**
 * Encrypts bytes in place by AES-128-CBC from the vector on, in whole blocks (ISO/IEC 23001-7, sections 9.6 and 9.7).
 * Without a pattern all whole blocks are encrypted.
 */
export function encryptBlocks(
  bytes: Uint8Array,
  { key, iv }: { key: Uint8Array; iv: Uint8Array },
  { encryptedBlocks, clearBlocks }: Pattern = { encryptedBlocks: 1, clearBlocks: 0 },
): void {
  const runBytes = encryptedBlocks * blockBytes;
  const strideBytes = runBytes + clearBlocks * blockBytes;
  const runs: Uint8Array[] = [];
  for (let offset = 0; offset + blockBytes <= bytes.length; offset += strideBytes) {
    const wholeBytes = bytes.length - offset - ((bytes.length - offset) % blockBytes);
    runs.push(bytes.subarray(offset, offset + Math.min(runBytes, wholeBytes)));
  }
  // One call: the chain goes on from one run to the next.
  const encrypted = createCipheriv('aes-128-cbc', key, iv).setAutoPadding(false).update(Buffer.concat(runs));
  let from = 0;
  for (const run of runs) {
    run.set(encrypted.subarray(from, from + run.length));
    from += run.length;
  }
}
