import { bareFfmpegOutput } from '../media/bare-ffmpeg.ts';

const samplesPerSecond = 48_000;

/** The samples of the first audio track, mixed to mono, from -1 to 1. */
export async function audioSamples(path: string): Promise<Float32Array> {
  const format = ['-ac', '1', '-ar', String(samplesPerSecond), '-f', 'f32le', '-'];
  const bytes = await bareFfmpegOutput(['-i', path, '-map', '0:a:0', ...format]);
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
}

/**
 * The level of the residual after removing the sine of a frequency, in dB relative to the signal. It is that of the worst
 * window of `windowSeconds`, so that a single click shows. The edges are left out: encoders settle there.
 */
export function residualDb(
  samples: Float32Array,
  { hertz, windowSeconds = 0.02, edgeSeconds = 0.2 }: { hertz: number; windowSeconds?: number; edgeSeconds?: number },
): number {
  const [from, to] = [edgeSeconds * samplesPerSecond, samples.length - edgeSeconds * samplesPerSecond];
  const kept = samples.subarray(from, to);
  const phase = (index: number) => (2 * Math.PI * hertz * index) / samplesPerSecond;
  const mean = (value: (index: number) => number) =>
    kept.reduce((sum, _, index) => sum + value(index), 0) / kept.length;
  const sine = 2 * mean((index) => (kept[index] ?? 0) * Math.sin(phase(index)));
  const cosine = 2 * mean((index) => (kept[index] ?? 0) * Math.cos(phase(index)));
  const left = kept.map((sample, index) => sample - sine * Math.sin(phase(index)) - cosine * Math.cos(phase(index)));
  const window = Math.round(windowSeconds * samplesPerSecond);
  let worst = 0;
  for (let start = 0; start + window <= left.length; start += window) {
    worst = Math.max(worst, power(left.subarray(start, start + window)));
  }
  return 10 * Math.log10(worst / power(kept));
}

function power(samples: Float32Array): number {
  return samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
}
