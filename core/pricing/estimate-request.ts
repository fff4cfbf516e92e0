import type { CostTable } from '@media-jobs/video/cost-model';
import type { MediaFile, Speed } from '@media-jobs/video/encoding';
import {
  assumedProbe,
  type InputLimits,
  type Probe,
  validateProbe,
  validateTotalDuration,
} from '@media-jobs/video/probe';
import { describesOnly, listAssets, type Step } from '@media-jobs/video/recipes';
import type { JobRequest } from '../api/job-request.ts';
import { readSteps } from '../jobs/read-steps.ts';
import type { Job } from '../jobs/record.ts';
import { requestInputs } from '../jobs/request-inputs.ts';
import { estimateJob, type JobEstimate } from './estimate.ts';
import type { PricedWorkers } from './fargate-computer.ts';
import { stepStorage } from './step-storage.ts';

export type EstimatedRequest = {
  request: JobRequest;
  destination: Job['destination'];
  /** What is known of each of its inputs. */
  probe: Probe;
  speed: Speed;
  table: CostTable;
  inputLimits: InputLimits;
};

/**
 * Estimates the job of a request, with a usual file for each parameter that names one.
 * @throws JobError if a worker would reject the inputs, the recipe does not fit them, or no worker can end the job
 */
export function estimateRequest(
  { request: requested, destination, probe, speed, table, inputLimits }: EstimatedRequest,
  workers: PricedWorkers,
): JobEstimate & { steps: Step[] } {
  const { speed: _, finishBy: __, ...request } = requested;
  const inputs = requestInputs(requested).map(({ path }): MediaFile => ({ path, probe }));
  const steps = readSteps(request);
  if (!steps.every(({ recipe }) => describesOnly(recipe))) validateInputs(inputs, inputLimits);
  const job = {
    ...{ steps, inputs, assets: steps.map(assumedAssets), speed, table },
    isForProvider: destination !== undefined,
    storage: stepStorage({ request, destination }, steps, workers),
  };
  return { steps, ...estimateJob(job, workers) };
}

/** Rejects inputs that a worker would reject. */
function validateInputs(inputs: readonly MediaFile[], limits: InputLimits): void {
  for (const { probe } of inputs) validateProbe(probe, limits);
  validateTotalDuration(
    inputs.map(({ probe }) => probe),
    limits,
  );
}

const stillImage = assumedProbe({ width: 512, height: 512 });

const subtitleFile: Probe = {
  container: 'srt',
  sizeBytes: 50_000,
  streams: [{ kind: 'subtitle', index: 0, codec: 'subrip', isDefault: true, isForced: false, startSeconds: 0 }],
};

/** A usual file for each parameter that names one. */
function assumedAssets({ recipe }: Step): Record<string, MediaFile> {
  const assets = listAssets(recipe).map(({ name, kind }): [string, MediaFile] => [
    name,
    { path: name, probe: kind === 'subtitles' ? subtitleFile : stillImage },
  ]);
  return Object.fromEntries(assets);
}
