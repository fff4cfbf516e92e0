import { aVirtualClock } from '@media-jobs/testing/virtual-clock';
import { expect, it } from 'vitest';
import { createBatch } from '../../../functions/submission/batches.ts';
import { memoryBatchTable } from '../../../lab/simulation/memory/batch-table.ts';
import { memoryConcurrencyLimits } from '../../../lab/simulation/memory/concurrency-limits.ts';
import { memoryPresetTable } from '../../../lab/simulation/memory/preset-table.ts';
import { memoryReservations } from '../../../lab/simulation/memory/reservations.ts';
import { memorySettingsTable } from '../../../lab/simulation/memory/settings-table.ts';
import { memoryStorageProviderTable } from '../../../lab/simulation/memory/storage-provider-table.ts';
import { callRoute } from '../../builders/http/call-route.ts';
import { aJobId, aRequest, start } from '../../builders/jobs/jobs.ts';
import { stageSpeeds } from '../../builders/jobs/stage-speeds.ts';

const rules = { schemes: ['https' as const], reachable: [] };
const { input: _, ...request } = aRequest;

it('batches that have not ended are limited, also by many requests at once, and a replay is none', async () => {
  const clock = aVirtualClock(start);
  const started: string[] = [];
  let ids = 0;
  const app = createBatch({
    ...{ clock, speeds: stageSpeeds, ofStage: [], limits: { maxOpenBatches: 3 } },
    ...{ batches: memoryBatchTable(), open: memoryConcurrencyLimits(), reservations: memoryReservations() },
    ...{ settings: memorySettingsTable(), providers: memoryStorageProviderTable(), presets: memoryPresetTable() },
    urlRules: { input: rules, webhook: rules, buckets: { buckets: [], region: 'us-east-1' } },
    machine: { start: async ({ name }) => void started.push(name) },
    newId: () => aJobId(++ids, clock.now()),
    onStartFailed: () => undefined,
  });
  const post = (key?: string, ownerId = 'owner-1') => {
    const body = { manifestUrl: 'https://media.example/lines.jsonl', request } as never;
    return callRoute(app, { ownerId, body, rawBody: body, headers: { 'idempotency-key': key } });
  };
  const all = await Promise.allSettled(Array.from({ length: 8 }, (_, n) => post(String(n))));
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  await expect(post()).rejects.toMatchObject({
    ...{ code: 'LIMIT_EXCEEDED', retryAfterSeconds: 60 },
    details: [{ limit: 'maxOpenBatches', value: 3, use: 3 }],
  });
  const accepted = all.findIndex(({ status }) => status === 'fulfilled');
  expect(await post(String(accepted))).toMatchObject({ status: 202, headers: { 'idempotent-replayed': 'true' } });
  expect(await post(undefined, 'owner-2')).toMatchObject({ status: 202 });
  expect(new Set(started).size).toBe(4);
  // None of them took a step.
  clock.pass(10 * 60_000);
  expect(await post()).toMatchObject({ status: 202 });
});
