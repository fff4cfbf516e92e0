import { bareFfmpegOutput } from '../media/bare-ffmpeg.ts';

const samplesPerSecond = 48_000;
const channels = 2;
const windowSamples = 0.02 * samplesPerSecond * channels;

/** The samples of an audio track in stereo, from -1 to 1, from the start of the track. */
async function stereoSamples(path: string, track: number): Promise<Float32Array> {
  const format = ['-ac', String(channels), '-ar', String(samplesPerSecond), '-f', 'f32le', '-'];
  const bytes = await bareFfmpegOutput(['-i', path, '-map', `0:a:${track}`, ...format]);
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
}

/** The power of the difference between a track and that of its source, in dB of full scale, by windows of 20 ms. */
export async function audioErrorsDb(path: string, source: string, track = 0): Promise<number[]> {
  const [found, wanted] = [await stereoSamples(path, track), await stereoSamples(source, track)];
  const windows = Math.floor(Math.min(found.length, wanted.length) / windowSamples);
  return Array.from({ length: windows }, (_, window) => {
    let sum = 0;
    for (let at = window * windowSamples; at < (window + 1) * windowSamples; at += 1) {
      sum += ((found[at] ?? 0) - (wanted[at] ?? 0)) ** 2;
    }
    return 10 * Math.log10(sum / windowSamples + 1e-12);
  });
}

/** The windows within a tenth of a second of these times, and all others. */
export function splitWindows(
  errors: readonly number[],
  seconds: readonly number[],
): { near: number[]; elsewhere: number[] } {
  const isNear = (window: number) => seconds.some((seam) => Math.abs(window * 0.02 - seam) <= 0.1);
  return {
    near: errors.filter((_, window) => isNear(window)),
    elsewhere: errors.filter((_, window) => !isNear(window)),
  };
}

/** The value that 99 of 100 stay below. */
export function percentile99(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(0.99 * values.length) - 1] ?? Number.NaN;
}
