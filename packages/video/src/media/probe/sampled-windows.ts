import { type ReadAt, readBytes } from '../read-at.ts';

/** Enough for one clock value: TS repeats its PCR every 100 ms, which is less than this at 15 Mbit/s. */
const windowBytes = 192 * 1024;
const maxWindows = 32;

/**
 * Parts of a file that was recorded or sent as a stream, from its start to its end: up to 6 MB at equal distances of MPEG-TS
 * and MPEG-PS, the first and the last of Ogg. None of another file.
 */
export async function sampleWindows(
  container: string,
  { readAt, sizeBytes }: { readAt: ReadAt; sizeBytes: number },
): Promise<Buffer[]> {
  if (!['mpegts', 'mpeg', 'ogg'].includes(container)) return [];
  const length = Math.min(windowBytes, sizeBytes);
  const count = container === 'ogg' ? 2 : Math.max(2, Math.min(maxWindows, Math.floor(sizeBytes / length)));
  const windows: Buffer[] = [];
  for (let index = 0; index < count; index++) {
    const offset = Math.floor(((sizeBytes - length) * index) / (count - 1));
    const { buffer, byteOffset, byteLength } = await readBytes(readAt, { offset, sizeBytes: length });
    windows.push(Buffer.from(buffer, byteOffset, byteLength));
  }
  return windows;
}
