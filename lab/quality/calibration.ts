import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { presets, videoCodecs } from '@media-jobs/video/media';
import * as z from 'zod';
import { root } from '../../lib/build/paths.ts';
import { geometricMean } from '../bench/harness/figures/figure.ts';

const rowSchema = z.strictObject({
  recipe: z.enum(['transcode', 'compress']),
  codec: z.enum(videoCodecs),
  preset: z.enum(presets),
  crf: z.number(),
  isDefault: z.boolean(),
  /** Mean over all clips, and over the real ones if there were any. */
  vmaf: z.number(),
  realVmaf: z.number().optional(),
  /** Geometric means over the clips. */
  kbps: z.number(),
  processorSeconds: z.number(),
  /** Scores of the generated clips by their names. */
  generatedVmaf: z.record(z.string(), z.number()),
});

export type CalibrationRow = z.output<typeof rowSchema>;

const calibrationSchema = z.strictObject({
  generatedClips: z.int(),
  realClips: z.int(),
  seconds: z.number(),
  rows: z.array(rowSchema),
});

export type Calibration = z.output<typeof calibrationSchema>;

/** The record of the last whole run of `npm run calibrate-quality`. */
export const calibrationPath = join(root, 'docs', 'quality.json');

/** @throws ZodError for a document of another shape */
export function readCalibration(): Calibration {
  return calibrationSchema.parse(JSON.parse(readFileSync(calibrationPath, 'utf8')));
}

/** The score that the defaults of a recipe have on the mean over real clips, and the tolerance. */
export const qualityGoals = { transcode: 93, compress: 90 } as const;
export const qualityTolerance = 1.5;

/** A row of the mean over several scores of clips. */
export function meanOf(
  scores: readonly { vmaf: number; kbps: number; processorSeconds: number }[],
): Pick<CalibrationRow, 'vmaf' | 'kbps' | 'processorSeconds'> {
  return {
    vmaf: meanScore(scores),
    kbps: round(geometricMean(scores.map(({ kbps }) => kbps)), 1),
    processorSeconds: round(geometricMean(scores.map(({ processorSeconds }) => processorSeconds)), 3),
  };
}

/** The mean of scores, rounded. */
export function meanScore(scores: readonly { vmaf: number }[]): number {
  return round(mean(scores.map(({ vmaf }) => vmaf)), 2);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
