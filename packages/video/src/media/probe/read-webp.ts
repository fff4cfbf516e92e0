import type { ReadAt } from '../boxes.ts';
import type { Probe } from './probe.ts';
import { type RiffChunk, readRiff } from './riff.ts';

export type WebpAnimation = {
  /** Size of the canvas in pixels. */
  width: number;
  height: number;
  frameCount: number;
  durationSeconds: number;
  /** 0 repeats forever. */
  loopCount: number;
};

/**
 * Reads the chunk headers of an animated WebP, without decoding its frames. Undefined for a still image, for another
 * kind of file, and for inconsistent sizes.
 */
export async function readWebpAnimation(readAt: ReadAt): Promise<WebpAnimation | undefined> {
  const chunks = await readRiff(readAt, 'WEBP');
  if (chunks === undefined) return undefined;
  let canvas: Canvas | undefined;
  let read = { frameCount: 0, milliseconds: 0, loopCount: 0 };
  for await (const chunk of chunks) {
    if (canvas === undefined) {
      canvas = chunk && canvasOf(chunk);
      if (canvas === undefined) return undefined;
    } else {
      if (chunk === undefined || !isValidChunk(chunk, canvas)) return undefined;
      read = withChunk(read, chunk);
    }
  }
  const { milliseconds, ...counts } = read;
  if (canvas === undefined || counts.frameCount === 0) return undefined;
  return { ...canvas, ...counts, durationSeconds: milliseconds / 1000 };
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

export function withWebpAnimation(probe: Probe, { width, height, frameCount, durationSeconds }: WebpAnimation): Probe {
  const framesPerSecond = durationSeconds > 0 ? frameCount / durationSeconds : undefined;
  const streams = probe.streams.map((stream) => ({
    ...stream,
    durationSeconds,
    ...(stream.kind === 'video' ? { width, height, framesPerSecond } : {}),
  }));
  return { ...probe, durationSeconds, streams };
}
