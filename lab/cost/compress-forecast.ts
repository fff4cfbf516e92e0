import type { PlanCost } from '@media-jobs/video/cost-model';
import { assumedProbe } from '@media-jobs/video/probe';
import { forecastGraph, type StepForecast } from '@media-jobs/video/recipes';
import { jobRequestExample } from '../../core/api/job-examples.ts';
import { readSteps } from '../../core/jobs/request-record.ts';

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

const steps = readSteps(jobRequestExample);

function filesOf({ resolution, ...timing }: Video) {
  const probe = assumedProbe({ ...resolutions[resolution], ...timing });
  return { inputs: [{ path: 'input', probe }], assets: [], canCompare: true };
}

/** What the cost model expects of the recipe `compress` with crf 28. */
export function compressForecast(video: Video): readonly StepForecast[] {
  return forecastGraph(steps, filesOf(video)).steps;
}

export function compressCost(video: Video): PlanCost {
  const [step] = compressForecast(video);
  if (step === undefined) throw new TypeError('A recipe is one step');
  return step.cost;
}
