/** Reads `length` bytes of a file from `offset`, fewer at its end. */
export type ReadAt = (offset: number, length: number) => Promise<Uint8Array>;

/**
 * Reads all bytes of a range.
 * @throws RangeError if the file ends before
 */
export async function readBytes(
  readAt: ReadAt,
  { offset, sizeBytes }: { offset: number; sizeBytes: number },
): Promise<Uint8Array> {
  const bytes = new Uint8Array(sizeBytes);
  for (let done = 0; done < sizeBytes; ) {
    const read = await readAt(offset + done, sizeBytes - done);
    if (read.length === 0) throw new RangeError(`The file ends before byte ${offset + sizeBytes}`);
    bytes.set(read, done);
    done += read.length;
  }
  return bytes;
}

const blockBytes = 256 * 1024;
const keptBlocks = 8;

/**
 * Reads a file in blocks of 256 KiB and keeps the last ones, so that many small reads near each other are one request.
 * A longer read is one request of its own.
 */
export function readInBlocks(readAt: ReadAt): ReadAt {
  const blocks = new Map<number, Promise<Uint8Array>>();
  const blockAt = (index: number) => {
    const block = blocks.get(index) ?? readAt(index * blockBytes, blockBytes);
    // The last block of the map is the one that was used last.
    blocks.delete(index);
    blocks.set(index, block);
    for (const oldest of blocks.keys()) if (blocks.size > keptBlocks) blocks.delete(oldest);
    return block;
  };
  return async (offset, length) => {
    if (length > blockBytes) return readAt(offset, length);
    const first = Math.floor(offset / blockBytes);
    const from = offset - first * blockBytes;
    const block = await blockAt(first);
    if (from + length <= blockBytes) return block.subarray(from, from + length);
    const next = await blockAt(first + 1);
    const bytes = new Uint8Array(Math.max(0, block.length - from) + Math.min(next.length, from + length - blockBytes));
    bytes.set(block.subarray(from));
    bytes.set(next.subarray(0, from + length - blockBytes), Math.max(0, block.length - from));
    return bytes;
  };
}
