import { type ReadAt, type RiffChunk, riffChunkAt, riffEnd } from './riff.ts';

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
