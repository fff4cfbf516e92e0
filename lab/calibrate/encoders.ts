import type { EncodeCost } from '@media-jobs/video/cost-model';
import { defaultCrf, type VideoCodec } from '@media-jobs/video/media';
import { contents, encoderSources, usualSize } from '../bench/harness/model/calibration-contents.ts';
import type { Content, GeneratedSource } from '../bench/harness/model/generated-source.ts';
import { fitNonNegative, leastSquares } from './least-squares.ts';
import type { Machine } from './machine.ts';
import { decodeSeconds, round } from './measure.ts';
import { encoderNames, type Sample, sample } from './sample.ts';
import { makeFile } from './source-file.ts';

/** Differences of the CRF from the default. */
const crfSteps = [-6, 0, 8, 16];

/** Steps of the CRF that may halve the time of a pixel, from a strong effect to none. */
const stepsToHalveTime = [20, 30, 40, 50, 60, 80, 120, Number.POSITIVE_INFINITY];

/** The density at which `rate.bitsPerPixel` holds. */
const referenceDensity = 0.1;

/** Length of a clip of four frames: most of its time is the start of the encoder. */
const shortSeconds = 0.16;

/** From no grain to much, of which other qualities are measured too: grain vanishes at a high CRF. */
const graded: readonly Content[] = contents.slice(0, 3);

/** The videos, and the differences of the CRF that each is encoded with. */
const measuredSources: readonly { source: GeneratedSource; steps: readonly number[] }[] = [
  ...encoderSources.map((source) => ({
    source,
    steps: graded.includes(source.content) && isUsualSize(source) ? crfSteps : [0],
  })),
  ...encoderSources
    .filter((source) => !isUsualSize(source))
    .map((source) => ({ source: { ...source, seconds: shortSeconds }, steps: [0] })),
];

/** The line of an encoder at its default effort and 25 frames per second, by ffmpeg's name. */
export async function measureEncoder(machine: Machine, codec: VideoCodec): Promise<Record<string, FittedLine>> {
  const samples: Sample[] = [];
  for (const [number, { source, steps }] of measuredSources.entries()) {
    const file = await makeFile(machine, `source-${number}`, source);
    const decode = await decodeSeconds(machine, file.path);
    for (const step of steps)
      samples.push(await sample(machine, { file, decode }, { codec, crf: defaultCrf[codec] + step }));
  }
  for (const each of samples) machine.print(`  ${JSON.stringify(each)}`);
  return { [encoderNames[codec]]: fitLine(samples, codec) };
}

type FittedLine = Omit<EncodeCost, 'efforts' | 'frameRateExponent'>;

function fitLine(samples: readonly Sample[], codec: VideoCodec): FittedLine {
  const crf = defaultCrf[codec];
  const fits = stepsToHalveTime.map((steps) => fitTimes(samples, { crf, steps }));
  const [{ coefficients, steps } = { coefficients: [], steps: 0 }] = fits.sort((one, other) => one.error - other.error);
  const [perMegapixel = 0, perMegabit = 0, seconds = 0, perFrameMegapixel = 0] = coefficients;
  const [base = 0, perStep = 0, sourceExponent = 0, sizeExponent = 0] = leastSquares(
    samples.filter(isLong).map((each) => {
      const density = Math.log2(each.density / referenceDensity);
      return [1, crf - each.crf, density, Math.log2(each.frameMegapixels)];
    }),
    samples.filter(isLong).map(({ bitsPerPixel }) => Math.log2(bitsPerPixel)),
  );
  return {
    start: { seconds: round(seconds), perFrameMegapixel: round(perFrameMegapixel) },
    perMegapixel: round(perMegapixel),
    perMegabit: round(perMegabit),
    ...(Number.isFinite(steps) && { crfToHalveTime: steps }),
    rate: {
      bitsPerPixel: round(2 ** base),
      crf,
      crfToHalve: round(1 / perStep),
      sourceExponent: round(sourceExponent),
      sizeExponent: round(sizeExponent),
    },
  };
}

/** The coefficients of the times, if so many steps of the CRF halve the time of a pixel, and their squared error. */
function fitTimes(samples: readonly Sample[], { crf, steps }: { crf: number; steps: number }) {
  // Errors count relative to the value: a calm video matters as much as a noisy one.
  const rows = samples.map(({ encodeSeconds, megapixels, frameMegapixels, bitsPerPixel, ...each }) => {
    const atCrf = 2 ** ((crf - each.crf) / steps) * megapixels;
    return [atCrf, atCrf * bitsPerPixel, 1, frameMegapixels].map((one) => one / encodeSeconds);
  });
  const coefficients = fitNonNegative(
    rows,
    rows.map(() => 1),
  );
  const sumOf = (row: readonly number[]) => row.reduce((sum, one, index) => sum + one * (coefficients[index] ?? 0), 0);
  return { steps, coefficients, error: rows.reduce((sum, row) => sum + (sumOf(row) - 1) ** 2, 0) };
}

function isUsualSize({ size }: GeneratedSource): boolean {
  return size === usualSize;
}

/** The bits of a short clip are mostly those of its keyframe, and tell nothing about the rate of a video. */
function isLong({ seconds }: Sample): boolean {
  return seconds > shortSeconds;
}
