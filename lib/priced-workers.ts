import { lambdaSlowness } from '@media-jobs/video/cost-model';
import { inputLimitsSchema } from '@media-jobs/video/probe';
import type { PricedWorkers } from '../core/pricing/fargate-computer.ts';
import { type PricedStage, pricesOf } from '../core/pricing/region-prices.ts';
import { type FargateSettings, fargateMemoryGb } from './settings/fargate.ts';
import { chunkingOf } from './settings/owner-limits.ts';
import type { Settings } from './settings/settings.ts';
import { workerTimeoutSeconds } from './settings/workers.ts';

/**
 * Seconds from the claim of a job to its end on a local stage, besides its encoding and its transfers. Measured on an idle machine:
 * a remux of a clip takes 0.26 to 0.34 s, transfers included. Tasks in chunks keep the seconds that are assumed of Lambda.
 */
const localClaimedSeconds = 0.25;

/** What the cost of a job depends on: the functions with ffmpeg, how long files are kept, and the prices of the region. */
export function pricedStage(settings: Settings): PricedStage & Pick<PricedWorkers, 'fargate'> {
  const { architecture, transcoder, outputRetentionDays, recovery, fargate, region } = settings;
  const deletedFileDays = recovery.deletedFileRetentionDays ?? 0;
  return {
    architecture,
    memoryMb: transcoder.memoryMb,
    // In a versioned bucket expiry only adds a delete marker: S3 bills the version until that is removed.
    retentionDays: outputRetentionDays + deletedFileDays,
    ...(deletedFileDays > 0 && { deletedFileDays }),
    ...(settings.stage === 'local' && { claimedSeconds: localClaimedSeconds }),
    ...(region && { prices: pricesOf(region) }),
    ...(fargate && { fargate: pricedFargate(fargate) }),
  };
}

function pricedFargate({ vcpus, storageGb, publicAddress, maxHours, pool }: FargateSettings) {
  const memoryMb = fargateMemoryGb({ vcpus }) * 1024;
  return {
    vcpus,
    memoryMb,
    storageGb,
    hasPublicAddress: publicAddress,
    maxHours,
    ...(pool && { pool: { fallback: pool.fallback } }),
  };
}

export function pricedWorkers(settings: Settings): PricedWorkers {
  return {
    ...pricedStage(settings),
    slowness: processorSlowness(settings),
    timeoutSeconds: workerTimeoutSeconds,
    chunking: chunkingOf(settings),
  };
}

/** The environment of what estimates times and prices. */
export function estimateEnvironment(settings: Settings): Record<string, string> {
  return {
    PRICED_WORKERS: JSON.stringify(pricedWorkers(settings)),
    INPUT_LIMITS: JSON.stringify(inputLimitsSchema.parse(settings.inputLimits)),
  };
}

/** Seconds of a vCPU for each second of the calibrated machine. The local stage runs on a machine like that one. */
export function processorSlowness({ stage, architecture }: Pick<Settings, 'stage' | 'architecture'>): number {
  return stage === 'local' ? 1 : lambdaSlowness[architecture];
}
