import { endSecondsOf, mainVideo } from '../../../src/media/probe/streams.ts';
import { bareFfmpegOutput } from '../media/bare-ffmpeg.ts';
import { anEncoder } from '../recipes/encode.ts';
import { frameTimes } from './measure-video.ts';

/** When each flash starts, in seconds: the first frame far brighter than the one before. */
export async function flashes(path: string): Promise<number[]> {
  const filters = 'crop=iw/4:ih/4,scale=1:1:flags=area,format=gray';
  const video = ['-i', path, '-map', '0:v', '-vf', filters, '-fps_mode', 'passthrough'];
  const [levels, times] = await Promise.all([bareFfmpegOutput([...video, '-f', 'rawvideo', '-']), frameTimes(path)]);
  return times.filter((_, index) => (levels[index] ?? 0) - (levels[index - 1] ?? 255) > 40);
}

/** When each beep starts, in seconds: the first loud sample after a tenth of a second of silence. */
export async function beeps(path: string): Promise<number[]> {
  const samplesPerSecond = 8000;
  // first_pts=0: respect the start time of the audio stream, as players do.
  const filters = `aresample=${samplesPerSecond}:first_pts=0`;
  const pcm = await bareFfmpegOutput(['-i', path, '-map', '0:a:0', '-af', filters, ...'-ac 1 -f s16le -'.split(' ')]);
  const found: number[] = [];
  let lastLoud = -samplesPerSecond;
  for (let index = 0; index < pcm.length / 2; index++) {
    if (Math.abs(pcm.readInt16LE(index * 2)) < 3000) continue;
    if (index - lastLoud > samplesPerSecond / 10) found.push(index / samplesPerSecond);
    lastLoud = index;
  }
  return found;
}

/** Start times of the inputs in the joined video, from the durations of their video streams; the end comes last. */
export async function inputStartSeconds(inputs: readonly string[]): Promise<number[]> {
  const encoder = anEncoder();
  const probes = await Promise.all(inputs.map((path) => encoder.probe(path)));
  const ends = probes.map((probe) => endSecondsOf(probe, [mainVideo(probe)]) ?? 0);
  return [0, ...ends].map((_, index) => ends.slice(0, index).reduce((sum, end) => sum + end, 0));
}

/** The largest difference between found and expected times, in seconds. */
export function maxDifference(found: readonly number[], expected: readonly number[]): number {
  if (found.length !== expected.length)
    throw new Error(`Expected ${expected.length} times (${expected}), found ${found.length} (${found})`);
  return Math.max(...found.map((time, index) => Math.abs(time - (expected[index] ?? 0))));
}
