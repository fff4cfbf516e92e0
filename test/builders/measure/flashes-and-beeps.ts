import { endSecondsOf, mainVideo } from '../../../core/media/probe/streams.ts';
import { bareFfmpegOutput } from '../media/bare-ffmpeg.ts';
import { anEncoder } from '../recipes/encode.ts';
import { frameTimes } from './measure-video.ts';

/** When each flash begins, in seconds: the first of some frames that are far brighter than the one before. */
export async function flashes(path: string): Promise<number[]> {
  const filters = 'crop=iw/4:ih/4,scale=1:1:flags=area,format=gray';
  const video = ['-i', path, '-map', '0:v', '-vf', filters, '-fps_mode', 'passthrough'];
  const [levels, times] = await Promise.all([
    bareFfmpegOutput([...video, '-f', 'rawvideo', '-']),
    frameTimes(path),
  ]);
  return times.filter((_, index) => (levels[index] ?? 0) - (levels[index - 1] ?? 255) > 40);
}

/** When each beep begins, in seconds: the first sample that is loud after a tenth of a second of silence. */
export async function beeps(path: string): Promise<number[]> {
  const samplesPerSecond = 8000;
  // What the container says of the beginning of the sound counts, as it does for players.
  const filters = `aresample=${samplesPerSecond}:first_pts=0`;
  const pcm = await bareFfmpegOutput([
    '-i',
    path,
    '-map',
    '0:a:0',
    '-af',
    filters,
    '-ac',
    '1',
    '-f',
    's16le',
    '-',
  ]);
  const found: number[] = [];
  let lastLoud = -samplesPerSecond;
  for (let index = 0; index < pcm.length / 2; index++) {
    if (Math.abs(pcm.readInt16LE(index * 2)) < 3000) continue;
    if (index - lastLoud > samplesPerSecond / 10) found.push(index / samplesPerSecond);
    lastLoud = index;
  }
  return found;
}

/** When each input begins in the joined video, by the lengths of their pictures; in the end, when all do. */
export async function inputStartSeconds(inputs: readonly string[]): Promise<number[]> {
  const encoder = anEncoder();
  const probes = await Promise.all(inputs.map((path) => encoder.probe(path)));
  const ends = probes.map((probe) => endSecondsOf(probe, [mainVideo(probe)]) ?? 0);
  return [0, ...ends].map((_, index) => ends.slice(0, index).reduce((sum, end) => sum + end, 0));
}

/** The largest distance between what was found and what was expected, in seconds. */
export function maxDifference(found: readonly number[], expected: readonly number[]): number {
  if (found.length !== expected.length) throw new Error(`Found ${found}, where ${expected} were expected`);
  return Math.max(...found.map((time, index) => Math.abs(time - (expected[index] ?? 0))));
}
