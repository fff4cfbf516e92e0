/** Reads `length` bytes of a file from `offset`; fewer where it ends. */
export type ReadAt = (offset: number, length: number) => Promise<Uint8Array>;

/** One chunk of a RIFF file, of whose content the beginning was read. */
export type RiffChunk = {
  /** Four characters. */
  name: string;
  sizeBytes: number;
  /** All of a small chunk, and the first 16 bytes of a larger one. */
  content: DataView;
  /** Where the chunk after it begins. */
  next: number;
};

const headerBytes = 8;
const contentBytes = 16;

/** Where a RIFF file of this kind says that it ends; undefined for every other file, and for one that was cut off. */
export async function riffEnd(readAt: ReadAt, kind: string): Promise<number | undefined> {
  const bytes = await readAt(0, 12);
  if (bytes.length < 12 || textOf(bytes, 0) !== 'RIFF' || textOf(bytes, 8) !== kind) return undefined;
  const end = headerBytes + viewOf(bytes).getUint32(4, true);
  const isWhole = (await readAt(end - 1, 1)).length === 1;
  return isWhole ? end : undefined;
}

/** The chunk that begins at an offset; undefined where there is none, or only a part of one before `end`. */
export async function riffChunkAt(
  readAt: ReadAt,
  { offset, end }: { offset: number; end: number },
): Promise<RiffChunk | undefined> {
  if (offset + headerBytes > end) return undefined;
  const bytes = await readAt(offset, headerBytes + contentBytes);
  const sizeBytes = viewOf(bytes).getUint32(4, true);
  const next = offset + headerBytes + sizeBytes + (sizeBytes % 2);
  if (next > end) return undefined;
  const content = viewOf(bytes.subarray(headerBytes, headerBytes + sizeBytes));
  return { name: textOf(bytes, 0), sizeBytes, content, next };
}

function viewOf({ buffer, byteOffset, length }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, length);
}

function textOf(bytes: Uint8Array, offset: number): string {
  return String.fromCharCode(...bytes.subarray(offset, offset + 4));
}
