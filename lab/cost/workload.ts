import { usedCpus } from '@media-jobs/video/cost-model';
import { decideWork, transferSeconds } from '@media-jobs/video/decide';
import type { StepForecast } from '@media-jobs/video/recipes';
import { workStage } from '../../core/pricing/estimate.ts';
import { type ExpectedUse, expectedUse, secondsBeforeEncoding } from '../../core/pricing/expected-use.ts';
import type { PricedWorkers } from '../../core/pricing/fargate-computer.ts';
import { pricesRegion } from '../../core/pricing/prices.ts';
import { pricedWorkers } from '../../lib/priced-workers.ts';
import { fargateSchema } from '../../lib/settings/fargate.ts';
import { readSettings } from '../../lib/settings/read-settings.ts';
import { settingsSchema } from '../../lib/settings/settings.ts';
import { type RecipeName, type ResolutionName, recipeForecast } from './recipe-forecast.ts';

export type Workload = {
  /** Minutes of media over all jobs. */
  minutes: number;
  /** Minutes of media per job. */
  minutesPerJob: number;
  resolution: ResolutionName;
  recipe: RecipeName;
  /** Speed of the jobs: `economy` runs in the pool. */
  speed: 'standard' | 'economy';
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
  recipe: 'compress',
  speed: 'standard',
  region: pricesRegion,
  architecture: settingsSchema.shape.architecture.parse(undefined),
  memoryMb: 3008,
  retentionDays: 30,
  downloads: 0,
};

/** The workers of a stage with default settings but for those of the workload. */
export function workersOf({ architecture, memoryMb, retentionDays, region }: Workload): PricedWorkers {
  const settings = readSettings({ default: {} }, 'default');
  const transcoder = { ...settings.transcoder, memoryMb };
  const fargate = fargateSchema.parse({ vpcId: 'vpc-00000000', subnetIds: ['subnet-00000000'], pool: {} });
  return pricedWorkers({ ...settings, fargate, architecture, transcoder, outputRetentionDays: retentionDays, region });
}

/** What one job of the workload is expected to use. */
export function expectedUseOf(workload: Workload): ExpectedUse {
  const { resolution, recipe, speed, minutesPerJob, encodeSpeed } = workload;
  const durationSeconds = minutesPerJob * 60;
  const stage = workStage(workersOf(workload));
  const { processors, maxSeconds } = stage.function;
  const atSpeed = ({ cost, ...forecast }: StepForecast): StepForecast => {
    if (encodeSpeed === undefined) return { ...forecast, cost };
    const besides = secondsBeforeEncoding(0, stage) + transferSeconds(cost.outputBytes);
    const encodeSeconds = Math.max(0, durationSeconds / encodeSpeed - besides);
    const cpuSeconds = (encodeSeconds * usedCpus(processors.count)) / processors.slowness;
    const cpu = { cpuSeconds, serialSeconds: 0, finalCpuSeconds: cpuSeconds, codecCpuSeconds: cpuSeconds };
    return { ...forecast, cost: { ...cost, ...cpu } };
  };
  // The download of the source is left out: it is short beside the encoding.
  const limits = {
    speed,
    inputBytes: 0,
    isInPlace: false,
    downloadBytes: 0,
    remainingSeconds: maxSeconds,
  } as const;
  const steps = recipeForecast({ resolution, durationSeconds }, recipe).map(atSpeed);
  const passes = decideWork({ steps, ended: new Map(), fitsFunction: true, fitsTask: () => false }, stage, limits);
  if ('reject' in passes) throw passes.reject;
  return expectedUse({ steps, passes, limits }, stage);
}
