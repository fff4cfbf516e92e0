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
