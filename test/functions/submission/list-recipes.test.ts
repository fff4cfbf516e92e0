import { randomBytes } from 'node:crypto';
import { aVirtualClock } from '@media-jobs/testing/virtual-clock';
import { recipes } from '@media-jobs/video/recipes';
import { describe, expect, it } from 'vitest';
import { jobRequestSchema } from '../../../core/api/job-request.ts';
import { createJob } from '../../../functions/submission/create-job.ts';
import { listRecipes } from '../../../functions/submission/list-recipes.ts';
import { memoryJobTable } from '../../../lab/simulation/memory/job-table.ts';
import { memoryMetadataIndex } from '../../../lab/simulation/memory/metadata-index.ts';
import { memoryPresetTable } from '../../../lab/simulation/memory/preset-table.ts';
import { memoryReservations } from '../../../lab/simulation/memory/reservations.ts';
import { memoryRunningLimit } from '../../../lab/simulation/memory/running-limit.ts';
import { memorySettingsTable } from '../../../lab/simulation/memory/settings-table.ts';
import { memorySpendingCounters } from '../../../lab/simulation/memory/spending-counters.ts';
import { memoryStorageProviderTable } from '../../../lab/simulation/memory/storage-provider-table.ts';
import { callRoute } from '../../builders/http/call-route.ts';
import { someContentKeys } from '../../builders/jobs/content-keys.ts';
import { aJobId, start } from '../../builders/jobs/jobs.ts';
import { stageSpeeds } from '../../builders/jobs/stage-speeds.ts';

const { body } = await callRoute(listRecipes(recipes));
const rules = { schemes: ['https' as const], reachable: [] };

describe.each(body.recipes.map((recipe) => [recipe.name, recipe] as const))('the recipe %s', (_, recipe) => {
  it('has an example that is a valid job request', async () => {
    const app = createJob({
      jobs: memoryJobTable(),
      running: memoryRunningLimit(),
      metadataIndex: memoryMetadataIndex(),
      reservations: memoryReservations(),
      spending: memorySpendingCounters(),
      minuteUsd: 0.0024,
      speeds: stageSpeeds,
      settings: memorySettingsTable(),
      providers: memoryStorageProviderTable(),
      queue: { send: async () => undefined },
      onSendFailed: () => undefined,
      clock: aVirtualClock(start),
      newJobId: (createdAt) => aJobId(1, createdAt),
      randomBytes,
      urlRules: { input: rules, webhook: rules, buckets: { buckets: [], region: 'us-east-1' } },
      limits: { maxUnfinishedJobs: 3, maxRunningJobs: 2 },
      contentKeys: someContentKeys,
      presets: memoryPresetTable(),
    });
    const request = jobRequestSchema.parse(recipe.exampleRequest);
    expect(await callRoute(app, { body: request })).toMatchObject({
      status: 201,
      body: { state: 'queued', request: recipe.exampleRequest },
    });
  });
});
