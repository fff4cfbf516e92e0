import { aVirtualClock } from '@media-jobs/testing/virtual-clock';
import { chunkSettingsSchema } from '@media-jobs/video/chunking';
import type { MeasuredSlowness } from '@media-jobs/video/cost-model';
import { inputLimitsSchema } from '@media-jobs/video/probe';
import { estimateJobContract } from '../../../core/api/estimate-job.ts';
import type { Job } from '../../../core/jobs/record.ts';
import type { StoredFile } from '../../../core/jobs/stored-file.ts';
import { type PricedWorkers, pricedWorkersSchema } from '../../../core/pricing/fargate-computer.ts';
import { estimateJob } from '../../../functions/submission/estimate-job.ts';
import { memorySlowness } from '../../../lab/simulation/memory/encoder-slowness.ts';
import { memoryPresetTable } from '../../../lab/simulation/memory/preset-table.ts';
import { memorySettingsTable } from '../../../lab/simulation/memory/settings-table.ts';
import { memoryStorageProviderTable } from '../../../lab/simulation/memory/storage-provider-table.ts';
import { aProcessingJob, aRequest, start } from '../jobs/jobs.ts';
import { stageSpeeds } from '../jobs/stage-speeds.ts';
import { callRoute } from './call-route.ts';

export const workers = pricedWorkersSchema.parse({
  architecture: 'arm64',
  memoryMb: 3008,
  retentionDays: 30,
  slowness: 1.3,
  timeoutSeconds: 900,
  chunking: chunkSettingsSchema.parse({}),
});
export const storageProviderId = `sp_${'0'.repeat(32)}`;
const rules = { schemes: ['https' as const], reachable: [] };

/** The route on a stage with one job, and the text of its output. */
export function aRoute({
  stored,
  text,
  slowness,
  deployed = workers,
  ...stage
}: { deployed?: PricedWorkers; stored?: Job; text?: string; slowness?: MeasuredSlowness } & Partial<
  Omit<typeof workers, 'slowness'>
> = {}) {
  const settings = memorySettingsTable();
  const providers = memoryStorageProviderTable();
  const presets = memoryPresetTable();
  const app = estimateJob({
    settings,
    providers,
    presets,
    jobs: { get: async () => stored },
    readOutput: async () => text,
    urlRules: { input: rules, webhook: rules, buckets: { buckets: [], region: 'us-east-1' } },
    workers: { ...deployed, ...stage },
    inputLimits: inputLimitsSchema.parse({}),
    speeds: stageSpeeds,
    clock: aVirtualClock(start),
    slowness: memorySlowness(slowness),
  });
  const call = (body: object) => callRoute(app, { body: estimateJobContract.body.parse(body) as never });
  return { call, settings, providers };
}

export const probeRequest = { ...aRequest, recipe: { name: 'probe' }, output: { format: 'json' } };

export function aCompletedProbe(storage?: StoredFile['storage']): Job {
  const files = { output: { key: 'jobs/1/1/output/output.json', storage } };
  return { ...aProcessingJob({ request: probeRequest }), state: 'completed', files } as unknown as Job;
}

export const job = {
  ...{ mode: 'recipe', input: { url: 'https://media.example/in.mp4' } },
  ...{ output: { format: 'mp4' }, recipe: { name: 'compress' } },
};
export const media = { durationSeconds: 60, width: 1920, height: 1080, framesPerSecond: 30 };
