import type { PlanCost } from '@media-jobs/video/cost-model';
import { assumedProbe } from '@media-jobs/video/probe';
import { forecastGraph, type StepForecast, totalCost } from '@media-jobs/video/recipes';
import { jobRequestExample } from '../../core/api/job-examples.ts';
import { readSteps } from '../../core/jobs/read-steps.ts';

export const resolutions = {
  '480p': { width: 854, height: 480 },
  '720p': { width: 1280, height: 720 },
  '1080p': { width: 1920, height: 1080 },
  '2160p': { width: 3840, height: 2160 },
} as const;

export type ResolutionName = keyof typeof resolutions;

/** A video of a usual bit rate, with stereo audio. */
export type Video = {
  resolution: ResolutionName;
  durationSeconds: number;
  /** By default 30. */
  framesPerSecond?: number;
};

/** The recipes of the cost tables, with their usual request. */
export const recipes = {
  compress: jobRequestExample,
  hls: { ...jobRequestExample, output: { format: 'm3u8' }, recipe: { name: 'hls' } },
} as const;

export type RecipeName = keyof typeof recipes;

function filesOf({ resolution, ...timing }: Video) {
  const probe = assumedProbe({ ...resolutions[resolution], ...timing });
  return { inputs: [{ path: 'input', probe }], assets: [], canCompare: true };
}

/** What the cost model expects of a recipe: of `compress` with crf 28, of `hls` the usual ladder. */
export function recipeForecast(video: Video, recipe: RecipeName = 'compress'): readonly StepForecast[] {
  return forecastGraph(readSteps(recipes[recipe]), filesOf(video)).steps;
}

/** The cost of a recipe on the calibrated machine. */
export function recipeCost(video: Video, recipe?: RecipeName): PlanCost {
  return totalCost(recipeForecast(video, recipe));
}
