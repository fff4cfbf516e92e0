import { writeFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { bareFfmpeg } from '../media/bare-ffmpeg.ts';
import { cachedFile } from '../media/cached-file.ts';
import { clipWith } from '../media/clips.ts';
import { generatedFile } from '../media/generated-file.ts';
import { encodeLosslessly, type RecipeInput } from '../recipes/encode-losslessly.ts';
import { frameTimes } from './measure-video.ts';

/** Each recipe that may be one encode with others, with parameters that change frames. */
export const recipesOfPairs = {
  clip: { name: 'clip', start: 0.63, end: 1.9 },
  resize: { name: 'resize', width: 200 },
  rotate: { name: 'rotate', degrees: 90, flip: 'horizontal' },
  speed: { name: 'speed', factor: 1.5 },
  mute: { name: 'mute' },
  watermark: { name: 'watermark', image: 'https://example.com/logo.png', position: 'top-left', scale: 0.4 },
  'burn-subtitles': { name: 'burn-subtitles', subtitles: 'https://example.com/a.srt', fontSize: 12 },
  'hdr-to-sdr': { name: 'hdr-to-sdr' },
  compress: { name: 'compress', maxHeight: 120 },
  transcode: { name: 'transcode', codec: 'h264' },
} as const satisfies Record<string, RecipeInput>;

export type PairRecipe = keyof typeof recipesOfPairs;

/** Of the recipes by rows, in this order, those of the columns that are one encode with them behind them. */
// biome-ignore format: a table
const table: Partial<Record<PairRecipe, readonly PairRecipe[]>> = {
  clip: ['clip', 'resize', 'rotate', 'mute', 'watermark', 'burn-subtitles', 'hdr-to-sdr', 'compress', 'transcode'],
  resize: ['clip', 'resize', 'rotate', 'mute', 'watermark', 'burn-subtitles', 'hdr-to-sdr', 'compress', 'transcode'],
  rotate: ['clip', 'resize', 'rotate', 'mute', 'watermark', 'burn-subtitles', 'hdr-to-sdr', 'compress', 'transcode'],
  speed: ['resize', 'rotate', 'mute', 'watermark', 'burn-subtitles', 'hdr-to-sdr', 'compress', 'transcode'],
  mute: ['resize', 'rotate', 'speed', 'mute', 'watermark', 'burn-subtitles', 'hdr-to-sdr', 'compress', 'transcode'],
  watermark: ['clip', 'resize', 'rotate', 'mute', 'burn-subtitles', 'hdr-to-sdr', 'compress', 'transcode'],
  'burn-subtitles': ['clip', 'resize', 'rotate', 'mute', 'watermark', 'hdr-to-sdr', 'compress', 'transcode'],
  'hdr-to-sdr': ['clip', 'resize', 'rotate', 'mute', 'watermark', 'burn-subtitles', 'hdr-to-sdr', 'compress', 'transcode'],
};

export const allPairs = (Object.keys(recipesOfPairs) as PairRecipe[]).flatMap((one) =>
  (Object.keys(recipesOfPairs) as PairRecipe[]).map((other) => ({
    one,
    other,
    fuses: table[one]?.includes(other) ?? false,
  })),
);

/** Without those that are rejected: what other recipes write is in standard dynamic range. */
export const fusedPairs = allPairs
  .filter(({ one, other, fuses }) => fuses && (other !== 'hdr-to-sdr' || one === 'mute'))
  .map(({ one, other }) => [one, other] as const);

export function sourceOfPair(one: PairRecipe, other?: PairRecipe): Promise<string> {
  const isHdr = [one, other].includes('hdr-to-sdr');
  return clipWith({ shape: 'landscape', colour: isHdr ? 'hdr' : 'sdr' });
}

const cues = ['00:00:00,100 --> 00:00:00,500', '00:00:00,900 --> 00:00:01,300', '00:00:01,500 --> 00:00:01,800'];
const srtText = cues.map((times, at) => `${at + 1}\n${times}\ncue ${at}\n`).join('\n');

/**
 * Expects that recipes as one encode have as many frames, at the same times, as one by one without loss between them, and that
 * those frames are as good as equal: PSNR of at least 50 dB.
 */
export async function expectSameFrames(source: string, recipes: readonly RecipeInput[]): Promise<void> {
  const assets = {
    image: await generatedFile('logo.png', [
      ...['-f', 'lavfi', '-i', 'testsrc=size=64x48:rate=1:duration=1', '-frames:v', '1'],
    ]),
    subtitles: await srtFile(),
  };
  const own = (all: readonly RecipeInput[]) =>
    Object.fromEntries(Object.entries(assets).filter(([name]) => all.some((recipe) => name in recipe)));
  const fused = await encodeLosslessly(source, recipes, own(recipes));
  let stepwise = source;
  for (const recipe of recipes) stepwise = await encodeLosslessly(stepwise, [recipe], own([recipe]));
  const [times, expected] = [await frameTimes(fused), await frameTimes(stepwise)];
  expect(times).toHaveLength(expected.length);
  for (const [frame, time] of times.entries()) expect(time).toBeCloseTo(expected[frame] ?? Number.NaN, 2);
  expect(await psnr(fused, stepwise)).toBeGreaterThanOrEqual(50);
}

function srtFile(): Promise<string> {
  return cachedFile({ name: 'cues.srt', recipe: srtText }, (path) => writeFile(path, srtText));
}

/** The lowest PSNR of any frame in dB. */
async function psnr(left: string, right: string): Promise<number> {
  const chains = '[0:v]setpts=N/25/TB[l];[1:v]setpts=N/25/TB[r];[l][r]psnr';
  const report = await bareFfmpeg(['-i', left, '-i', right, '-filter_complex', chains, '-f', 'null', '-']);
  return Number(/min:(inf|[\d.]+)/.exec(report)?.[1]?.replace('inf', 'Infinity'));
}
