/** What an animated WebP says of itself. */
export type WebpAnimation = {
  /** Size of the canvas in pixels. */
  width: number;
  height: number;
  frameCount: number;
  durationSeconds: number;
  /** How often it is shown; 0 is without end. */
  loopCount: number;
};

/** More than the longest animation here has frames; a hostile file may have millions. */
const mostChunks = 20_000;

/**
 * Reads the headers of an animated WebP's chunks, and none of its pictures. Undefined for a still one, for another kind
 * of file, and for one whose sizes contradict each other.
 */
export async function readWebpAnimation(readAt: ReadAt): Promise<WebpAnimation | undefined> {
  const end = await riffEnd(readAt, 'WEBP');
  if (end === undefined) return undefined;
  const first = await riffChunkAt(readAt, { offset: 12, end });
  const canvas = first && canvasOf(first);
  if (!canvas) return undefined;
  let read = { frameCount: 0, milliseconds: 0, loopCount: 0 };
  let offset = first.next;
  for (let count = 0; offset < end; count += 1) {
    const chunk = await riffChunkAt(readAt, { offset, end });
    if (!chunk || count === mostChunks || !isSound(chunk, canvas)) return undefined;
    read = withChunk(read, chunk);
    offset = chunk.next;
  }
  const { milliseconds, ...counts } = read;
  return counts.frameCount === 0 ? undefined : { ...canvas, ...counts, durationSeconds: milliseconds / 1000 };
}

type Canvas = { width: number; height: number };
type ReadSoFar = { frameCount: number; milliseconds: number; loopCount: number };

/** The canvas of a file whose first chunk says that it is animated. */
function canvasOf({ name, content }: RiffChunk): Canvas | undefined {
  if (name !== 'VP8X' || content.byteLength < 10) return undefined;
  const isAnimated = (content.getUint8(0) & 0x02) !== 0;
  return isAnimated ? { width: 1 + uint24(content, 4), height: 1 + uint24(content, 7) } : undefined;
}

/** Whether a chunk is as long as its kind is, and a frame lies on the canvas. */
function isSound({ name, content }: RiffChunk, { width, height }: Canvas): boolean {
  if (name === 'ANIM') return content.byteLength >= 6;
  if (name !== 'ANMF') return true;
  if (content.byteLength < 16) return false;
  const right = 2 * uint24(content, 0) + 1 + uint24(content, 6);
  const bottom = 2 * uint24(content, 3) + 1 + uint24(content, 9);
  return right <= width && bottom <= height;
}

function withChunk(read: ReadSoFar, { name, content }: RiffChunk): ReadSoFar {
  if (name === 'ANIM') return { ...read, loopCount: content.getUint16(4, true) };
  if (name !== 'ANMF') return read;
  const { frameCount, milliseconds } = read;
  return { ...read, frameCount: frameCount + 1, milliseconds: milliseconds + uint24(content, 12) };
}

function uint24(view: DataView, offset: number): number {
  return view.getUint16(offset, true) + view.getUint8(offset + 2) * 0x1_0000;
}

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
