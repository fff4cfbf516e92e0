import { bareFfmpeg } from '../media/bare-ffmpeg.ts';

/** Start and end, in seconds, of each silence of 0.25 s or more in the first audio track. */
export async function silences(path: string): Promise<[start: number, end: number][]> {
  const filter = 'silencedetect=noise=-50dB:duration=0.25';
  const log = await bareFfmpeg(['-i', path, '-map', '0:a:0', '-af', filter, '-f', 'null', '-']);
  const found = log.matchAll(/silence_start: (\S+)[\s\S]*?silence_end: (\S+)/g);
  return [...found].map(([, start, end]) => [Number(start), Number(end)]);
}
