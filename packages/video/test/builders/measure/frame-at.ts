import { bareFfmpegOutput } from '../media/bare-ffmpeg.ts';

export type MeasuredFrame = {
  width: number;
  height: number;
  /** Red, green and blue of a pixel, each from 0 to 255. */
  colour(x: number, y: number): number[];
};

/** The first frame of a video at or after a time in seconds. */
export async function decodeFrameAt(path: string, seconds: number): Promise<MeasuredFrame> {
  const filters = `select=gte(t\\,${seconds})`;
  const ppm = ['-frames:v', '1', '-c:v', 'ppm', '-f', 'image2pipe', '-'];
  const bytes = await bareFfmpegOutput(['-i', path, '-vf', filters, ...ppm]);
  const header = /^P6\s(\d+) (\d+)\s255\s/.exec(bytes.subarray(0, 40).toString('latin1'));
  if (!header) throw new Error(`${path} has no frame at ${seconds} s`);
  const [width, height] = [Number(header[1]), Number(header[2])];
  const pixels = bytes.subarray(header[0].length);
  return { width, height, colour: (x, y) => [...pixels.subarray((y * width + x) * 3, (y * width + x) * 3 + 3)] };
}
