import { bareFfprobe } from '../media/bare-ffmpeg.ts';

/** A frame as a decoder reads it: when it is taken out of the buffer, and its size. */
export type CodedFrame = { seconds: number; kilobits: number };

/** The frames of a video in decoding order. */
export async function codedFrames(path: string): Promise<CodedFrame[]> {
  const entries = ['-show_entries', 'packet=dts_time,size', '-of', 'csv=p=0'];
  const lines = await bareFfprobe(['-select_streams', 'v:0', ...entries, path]);
  return lines.map((line) => {
    const [seconds, bytes] = line.split(',').map(Number);
    return { seconds: seconds ?? Number.NaN, kilobits: (8 * (bytes ?? Number.NaN)) / 1000 };
  });
}

/**
 * The least that a decoder's buffer ever has after a frame is taken out, as a share of it; negative if it runs empty. The
 * model is the coded picture buffer of H.264 (ITU-T H.264, C.1) and H.265 (ITU-T H.265, C.2) at a variable bit rate: bits
 * arrive at `kbps` until it is full, and each frame is taken out at once, at its decoding time.
 *
 * @param initialShare how full it is when the first frame is taken out
 */
export function lowestShare(
  frames: readonly CodedFrame[],
  { kbps, kilobits, initialShare }: { kbps: number; kilobits: number; initialShare: number },
): number {
  let content = initialShare * kilobits;
  let lowest = content;
  let before = frames[0]?.seconds ?? 0;
  for (const { seconds, kilobits: taken } of frames) {
    content = Math.min(kilobits, content + kbps * (seconds - before)) - taken;
    before = seconds;
    lowest = Math.min(lowest, content);
  }
  return lowest / kilobits;
}
