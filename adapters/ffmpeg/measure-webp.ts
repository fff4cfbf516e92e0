import { open } from 'node:fs/promises';
import type { Probe } from '../../core/media/probe/probe.ts';
import { withWebpAnimation } from '../../core/media/probe/read-probe.ts';
import { readWebpAnimation } from '../../core/media/probe/read-webp.ts';

/** The same probe with size and length of an animated WebP, of which ffprobe tells neither. */
export async function measureWebp(probe: Probe, path: string): Promise<Probe> {
  await using file = await open(path);
  const animation = await readWebpAnimation(async (offset, length) => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset);
    return buffer.subarray(0, bytesRead);
  });
  return animation ? withWebpAnimation(probe, animation) : probe;
}
