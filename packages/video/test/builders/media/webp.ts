import { readFile, writeFile } from 'node:fs/promises';
import type { ReadAt } from '../../../src/media/boxes.ts';

/** Reads from bytes in memory as from a file. */
export function readerOf(bytes: Uint8Array): ReadAt {
  return async (offset, length) => bytes.subarray(offset, offset + length);
}

/** A RIFF chunk, padded to an even length; `sizeBytes` overrides the size in its header. */
export function aRiffChunk(name: string, content: Uint8Array, sizeBytes = content.length): Buffer {
  const header = Buffer.from(`${name}\0\0\0\0`, 'latin1');
  header.writeUInt32LE(sizeBytes, 4);
  return Buffer.concat([header, content, Buffer.alloc(content.length % 2)]);
}

/** A RIFF file of these chunks. */
export function aRiff(kind: string, chunks: Uint8Array[], sizeBytes?: number): Buffer {
  const content = Buffer.concat([Buffer.from(kind, 'latin1'), ...chunks]);
  return aRiffChunk('RIFF', content, sizeBytes);
}

/** The first chunk of an animated WebP. */
export function aCanvas(width: number, height: number, flags = 0x02): Buffer {
  return aRiffChunk('VP8X', Buffer.concat([Buffer.from([flags, 0, 0, 0]), uint24(width - 1), uint24(height - 1)]));
}

/** The ANIM chunk: how often the animation loops. */
export function aLoop(count: number): Buffer {
  return aRiffChunk('ANIM', Buffer.from([255, 255, 255, 255, count, 0]));
}

type Frame = { x?: number; y?: number; width: number; height: number; milliseconds: number };

/** The ANMF chunk of one frame, with this image data. */
export function aFrame({ x = 0, y = 0, width, height, milliseconds }: Frame, frameData = Buffer.alloc(9)): Buffer {
  const numbers = [x / 2, y / 2, width - 1, height - 1, milliseconds].map(uint24);
  return aRiffChunk('ANMF', Buffer.concat([...numbers, Buffer.from([0]), frameData]));
}

/** Writes the first frame of an animated WebP as a still one, which ffmpeg can decode. */
export async function writeFirstFrame(animation: string, still: string): Promise<void> {
  const bytes = await readFile(animation);
  const frame = bytes.indexOf('ANMF');
  const frameData = bytes.subarray(frame + 8 + 16, frame + 8 + bytes.readUInt32LE(frame + 4));
  await writeFile(still, aRiff('WEBP', [frameData]));
}

function uint24(value: number): Buffer {
  return Buffer.from([value & 255, (value >> 8) & 255, (value >> 16) & 255]);
}
