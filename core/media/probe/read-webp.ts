import { fourCharacters, viewOf } from '../boxes.ts';
import type { ReadAt } from '../read-at.ts';

/** The properties in the headers of an animated WebP. */
export type WebpAnimation = {
  /** Size of the canvas in pixels. */
  width: number;
  height: number;
  frameCount: number;
  durationSeconds: number;
  /** 0 repeats forever. */
  loopCount: number;
};

/** More than any real animation has. A hostile file may have millions. */
const maxChunks = 20_000;

/**
 * Reads the chunk headers of an animated WebP, without decoding its frames. Undefined for a still image, for another
 * kind of file, and for inconsistent sizes.
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
    if (!chunk || count === maxChunks || !isValidChunk(chunk, canvas)) return undefined;
    read = withChunk(read, chunk);
    offset = chunk.next;
  }
  const { milliseconds, ...counts } = read;
  return counts.frameCount === 0 ? undefined : { ...canvas, ...counts, durationSeconds: milliseconds / 1000 };
}

type Canvas = { width: number; height: number };
type Totals = { frameCount: number; milliseconds: number; loopCount: number };

/** The canvas, if the first chunk declares an animation. */
function canvasOf({ name, content }: RiffChunk): Canvas | undefined {
  if (name !== 'VP8X' || content.byteLength < 10) return undefined;
  const isAnimated = (content.getUint8(0) & 0x02) !== 0;
  return isAnimated ? { width: 1 + uint24(content, 4), height: 1 + uint24(content, 7) } : undefined;
}

/** Whether a chunk has the length of its kind, and a frame lies on the canvas. */
function isValidChunk({ name, content }: RiffChunk, { width, height }: Canvas): boolean {
  if (name === 'ANIM') return content.byteLength >= 6;
  if (name !== 'ANMF') return true;
  if (content.byteLength < 16) return false;
  const right = 2 * uint24(content, 0) + 1 + uint24(content, 6);
  const bottom = 2 * uint24(content, 3) + 1 + uint24(content, 9);
  return right <= width && bottom <= height;
}

function withChunk(read: Totals, { name, content }: RiffChunk): Totals {
  if (name === 'ANIM') return { ...read, loopCount: content.getUint16(4, true) };
  if (name !== 'ANMF') return read;
  const { frameCount, milliseconds } = read;
  return { ...read, frameCount: frameCount + 1, milliseconds: milliseconds + uint24(content, 12) };
}

function uint24(view: DataView, offset: number): number {
  return view.getUint16(offset, true) + view.getUint8(offset + 2) * 0x1_0000;
}

/** One chunk of a RIFF file. */
export type RiffChunk = {
  /** Four characters. */
  name: string;
  sizeBytes: number;
  /** The first 16 bytes at most. */
  content: DataView;
  /** Offset of the next chunk. */
  next: number;
};

const headerBytes = 8;
const contentBytes = 16;

/** The declared end of a RIFF file of this kind. Undefined for any other file and for a truncated one. */
async function riffEnd(readAt: ReadAt, kind: string): Promise<number | undefined> {
  const bytes = await readAt(0, 12);
  if (bytes.length < 12) return undefined;
  const view = viewOf(bytes);
  if (fourCharacters(view, 0) !== 'RIFF' || fourCharacters(view, 8) !== kind) return undefined;
  const end = headerBytes + view.getUint32(4, true);
  const isWhole = (await readAt(end - 1, 1)).length === 1;
  return isWhole ? end : undefined;
}

/** The chunk at an offset. Undefined if it does not end before `end`. */
async function riffChunkAt(
  readAt: ReadAt,
  { offset, end }: { offset: number; end: number },
): Promise<RiffChunk | undefined> {
  if (offset + headerBytes > end) return undefined;
  const bytes = await readAt(offset, headerBytes + contentBytes);
  const view = viewOf(bytes);
  const sizeBytes = view.getUint32(4, true);
  const next = offset + headerBytes + sizeBytes + (sizeBytes % 2);
  if (next > end) return undefined;
  const content = viewOf(bytes.subarray(headerBytes, headerBytes + sizeBytes));
  return { name: fourCharacters(view, 0), sizeBytes, content, next };
}
