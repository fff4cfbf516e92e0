import { usedCpus } from '@media-jobs/video/cost-model';
import { decideWork, transferSeconds } from '@media-jobs/video/decide';
import type { StepForecast } from '@media-jobs/video/recipes';
import { workStage } from '../../core/pricing/estimate.ts';
import { type ExpectedUse, expectedUse, secondsBeforeEncoding } from '../../core/pricing/expected-use.ts';
import type { PricedWorkers } from '../../core/pricing/fargate-computer.ts';
import { pricesRegion } from '../../core/pricing/prices.ts';
import { pricedWorkers } from '../../lib/priced-workers.ts';
import { readSettings } from '../../lib/settings/read-settings.ts';
import { compressForecast, type ResolutionName } from './compress-forecast.ts';

export type Workload = {
  /** Minutes of media over all jobs. */
  minutes: number;
  /** Minutes of media per job. */
  minutesPerJob: number;
  resolution: ResolutionName;
  region: string;
  architecture: 'arm64' | 'x86_64';
  memoryMb: number;
  retentionDays: number;
  /** Downloads per result. */
  downloads: number;
  /** Media seconds per worker second (metric EncodeSpeed); undefined: that of the cost model. */
  encodeSpeed?: number | undefined;
};

export const defaultWorkload: Workload = {
  minutes: 1000,
  minutesPerJob: 5,
  resolution: '1080p',
  region: pricesRegion,
  architecture: 'arm64',
  memoryMb: 3008,
  retentionDays: 30,
  downloads: 0,
};

/** The workers of a stage with default settings but for those of the workload. */
export function workersOf({ architecture, memoryMb, retentionDays, region }: Workload): PricedWorkers {
  const settings = readSettings({ default: {} }, 'default');
  const transcoder = { ...settings.transcoder, memoryMb };
  return pricedWorkers({ ...settings, architecture, transcoder, outputRetentionDays: retentionDays, region });
}

/** What one job of the workload is expected to use. Its recipe is `compress` with crf 28. */
export function expectedUseOf(workload: Workload): ExpectedUse {
  const { resolution, minutesPerJob, encodeSpeed } = workload;
  const durationSeconds = minutesPerJob * 60;
  const stage = workStage(workersOf(workload));
  const { processors, maxSeconds } = stage.function;
  const atSpeed = ({ cost, ...forecast }: StepForecast): StepForecast => {
    if (encodeSpeed === undefined) return { ...forecast, cost };
    const besides = secondsBeforeEncoding(0) + transferSeconds(cost.outputBytes);
    const encodeSeconds = Math.max(0, durationSeconds / encodeSpeed - besides);
    const cpuSeconds = (encodeSeconds * usedCpus(processors.count)) / processors.slowness;
    const cpu = { cpuSeconds, serialSeconds: 0, finalCpuSeconds: cpuSeconds, codecCpuSeconds: cpuSeconds };
    return { ...forecast, cost: { ...cost, ...cpu } };
  };
  // The download of the source is left out: it is short beside the encoding.
  const limits = {
    speed: 'standard',
    inputBytes: 0,
    isInPlace: false,
    downloadBytes: 0,
    remainingSeconds: maxSeconds,
  } as const;
  const steps = compressForecast({ resolution, durationSeconds }).map(atSpeed);
  const passes = decideWork({ steps, ended: new Map(), fitsFunction: true, fitsTask: () => false }, stage, limits);
  if ('reject' in passes) throw passes.reject;
  return expectedUse({ steps, passes, limits }, stage);
}
