import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Size } from '@media-jobs/video/media';
import { measureUsage } from '../process/processor-time.ts';

/** One encoding of a clip. The score is VMAF NEG, the model without enhancement gain, or SSIM. */
export type RatePoint = { bytes: number; score: number; processorSeconds: number };

const run = promisify(execFile);

/** Runs an encoder, which writes `path`, and scores the file against the lossless clip. */
export async function ratePoint(
  ffmpeg: string,
  { clip, path, encode, ...scoring }: { clip: string; path: string; encode: () => Promise<unknown> } & Scoring,
): Promise<RatePoint> {
  const { processor: processorSeconds } = await measureUsage(encode);
  const [{ size: bytes }, score] = await Promise.all([stat(path), vmafOf(ffmpeg, { path, clip, ...scoring })]);
  return { bytes, score, processorSeconds };
}

type Scoring = {
  /** By default VMAF NEG. */
  model?: 'vmaf_v0.6.1neg' | 'vmaf_v0.6.1';
  /** The size of the display, by default that of the videos. */
  display?: Size;
};

/** The VMAF of a file, compared with the lossless clip. */
export async function vmafOf(
  ffmpeg: string,
  { path, clip, model = 'vmaf_v0.6.1neg', display }: { path: string; clip: string } & Scoring,
): Promise<number> {
  // Where tags differ, ffmpeg would convert one of the sides.
  const tags = 'setparams=range=tv:colorspace=bt709:color_primaries=bt709:color_trc=bt709';
  const scaled = display ? `scale=${display.width}:${display.height}:flags=bicubic,` : '';
  const paired = `settb=1/25,setpts=N,${tags},${scaled}setsar=1,format=yuv420p`;
  const compare = `[0:v:0]${paired}[a];[1:v:0]${paired}[b];[a][b]libvmaf=model=version=${model}:n_threads=2`;
  const options = { maxBuffer: 2 ** 24 };
  const { stderr } = await run(
    ffmpeg,
    ['-nostdin', '-i', path, '-i', clip, '-lavfi', compare, '-f', 'null', '-'],
    options,
  );
  const score = /VMAF score: ([\d.]+)/.exec(stderr)?.[1];
  if (score === undefined) throw new Error(`ffmpeg gave no VMAF of ${path}: its build lacks libvmaf`);
  return Number(score);
}

/**
 * The ratio of a quantity of two curves at equal score, as the geometric mean over the scores that both reach: between two
 * points, its logarithm is linear. Undefined where no score is in both.
 */
export function ratioAtEqualScore(
  ours: readonly RatePoint[],
  theirs: readonly RatePoint[],
  quantity: 'bytes' | 'processorSeconds' = 'bytes',
): number | undefined {
  const [a, b] = [ours, theirs].map((points) => points.toSorted((one, other) => one.score - other.score));
  const [low, high] = [
    Math.max(a?.[0]?.score ?? 0, b?.[0]?.score ?? 0),
    Math.min(a?.at(-1)?.score ?? 0, b?.at(-1)?.score ?? 0),
  ];
  if (a === undefined || b === undefined || low > high) return undefined;
  const scores = Array.from({ length: 21 }, (_, step) => low + ((high - low) * step) / 20);
  const logs = scores.map((score) => logAt(a, score, quantity) - logAt(b, score, quantity));
  return Math.exp(logs.reduce((sum, log) => sum + log, 0) / logs.length);
}

function logAt(points: readonly RatePoint[], score: number, quantity: 'bytes' | 'processorSeconds'): number {
  const next = points.findIndex(({ score: reached }) => reached >= score - 1e-9);
  const [after, before] = [points[next], points[Math.max(0, next - 1)]];
  if (after === undefined || before === undefined) throw new RangeError(`No point reaches the score ${score}`);
  const share = after.score === before.score ? 1 : (score - before.score) / (after.score - before.score);
  return Math.log(before[quantity]) * (1 - share) + Math.log(after[quantity]) * share;
}
