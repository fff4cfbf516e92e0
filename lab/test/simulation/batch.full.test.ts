import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { seededRandom } from '@media-jobs/testing/random';
import { aVirtualClock } from '@media-jobs/testing/virtual-clock';
import { expect, it } from 'vitest';
import {
  type BatchStep,
  createBatch,
  type LineFailure,
  resumeBatches,
  startBatch,
} from '../../../core/batches/batch.ts';
import { complete, failOrReject } from '../../../core/jobs/termination.ts';
import { claim } from '../../../core/jobs/transitions.ts';
import { acceptJob } from '../../../core/submission/accept-job.ts';
import { idOfLine } from '../../../core/submission/manifest-line.ts';
import { runBatch } from '../../../functions/run-batch/app.ts';
import { someContentKeys } from '../../../test/builders/jobs/content-keys.ts';
import { aJobId, start } from '../../../test/builders/jobs/jobs.ts';
import { stageSpeeds } from '../../../test/builders/jobs/stage-speeds.ts';
import { memoryBatchTable } from '../../simulation/memory/batch-table.ts';
import { memoryJobTable } from '../../simulation/memory/job-table.ts';
import { memoryMetadataIndex } from '../../simulation/memory/metadata-index.ts';
import { memoryPresetTable } from '../../simulation/memory/preset-table.ts';
import { memoryReservations } from '../../simulation/memory/reservations.ts';
import { memoryRunningLimit } from '../../simulation/memory/running-limit.ts';
import { memorySettingsTable } from '../../simulation/memory/settings-table.ts';
import { memorySpendingCounters } from '../../simulation/memory/spending-counters.ts';
import { memoryStorageProviderTable } from '../../simulation/memory/storage-provider-table.ts';

/** With the lines that are repeated or not valid, the manifest has 100,000 lines. */
const objects = 99_800;
const kills = 10;
/** Every so many lines one is repeated, one is no JSON, and one has a job that is rejected. */
const every = 1_000;
const owner = { ownerId: 'owner-1', caller: 'session' } as const;
const request = { mode: 'recipe', output: { format: 'mp4' }, recipe: { name: 'compress' } };
const killed = new Error('killed');

function aManifest(): Buffer {
  const lines = Array.from({ length: objects }, (_, index) => {
    const line = JSON.stringify({ id: `o${index}`, input: { url: `https://media.example/${index}.mp4` } });
    return index % every === 0 ? `${line}\n${line}\nno JSON` : line;
  });
  return Buffer.from(lines.join('\n'));
}

it(`${objects} objects, killed ${kills} times: each is done once`, async () => {
  const [clock, random, manifest] = [aVirtualClock(start), seededRandom(78), aManifest()];
  const [batches, jobs] = [memoryBatchTable(), memoryJobTable()];
  const queued: string[] = [];
  const made = new Map<string, number>();
  const failures: LineFailure[] = [];
  const executions: BatchStep[] = [];
  let [ids, calls, killAt, left, isDead] = [0, 0, 5_000, kills, false];
  /** A kill comes before or after the effect of a call, and ends its step. */
  const mayDie = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    calls += 1;
    if (isDead) throw killed;
    if (left === 0 || calls < killAt) return work();
    [left, killAt, isDead] = [left - 1, calls + 2_000 + random.between(0, 9_999), true];
    if (random.chance(0.5)) await work();
    throw killed;
  };
  const rules = { schemes: ['https' as const], reachable: [] };
  const submission = {
    ...{ jobs, clock, randomBytes, minuteUsd: 0.0024, speeds: stageSpeeds, contentKeys: someContentKeys },
    providers: memoryStorageProviderTable(),
    presets: memoryPresetTable(),
    running: memoryRunningLimit(),
    metadataIndex: memoryMetadataIndex(),
    reservations: memoryReservations(),
    spending: memorySpendingCounters(),
    settings: memorySettingsTable(),
    queue: {
      send: async ({ jobId }: { jobId: string }) => {
        if (!queued.includes(jobId)) queued.push(jobId);
      },
    },
    onSendFailed: () => undefined,
    newJobId: (createdAt: Date) => aJobId(++ids, createdAt),
    urlRules: { input: rules, webhook: rules, buckets: { buckets: [], region: 'us-east-1' } },
    limits: { maxRunningJobs: 10 },
  };
  const lineAt = (at: number) => manifest.toString('utf8', at, at + 200).split('\n', 1)[0] ?? '';
  const step = runBatch({
    ...{ jobs, clock, minuteUsd: 0.0024 },
    batches: { get: batches.get, write: (batch) => mayDie(() => batches.write(batch)) },
    accept: (accepted) => mayDie(() => acceptJob(submission, accepted)),
    cancel: async () => undefined,
    listObjects: async () => assert.fail('A manifest has no listing'),
    submitListed: async () => assert.fail('A manifest has no listing'),
    copyManifest: async () => ({ bytes: manifest.length, lines: manifest.toString().split('\n').length }),
    readManifest: async (_, range) => manifest.subarray(range.start, range.end),
    readLineId: async (_, at) => idOfLine(lineAt(at)),
    appendReport: async (_, added) => String(failures.push(...added)),
    onUnexpected: (cause) => {
      if (cause !== killed) throw cause;
    },
  });
  const work = async () => {
    for (const jobId of queued.splice(0)) {
      const job = await jobs.get({ ...owner, jobId });
      if (job?.state !== 'queued') continue;
      const claimed = claim(job, `lease-${jobId}`, clock.now());
      await jobs.write(claimed);
      const url = job.request.input?.url ?? '';
      made.set(url, (made.get(url) ?? 0) + 1);
      const ending = { now: clock.now(), webhookTarget: null, deliveryId: 'none' };
      const error = { code: 'INPUT_NOT_MEDIA', message: 'Not media', stage: 'probing', retryable: false } as const;
      const isRejected = url.endsWith('/7.mp4');
      await jobs.write(
        isRejected
          ? failOrReject(claimed.job, { state: 'rejected', error }, ending)
          : complete(claimed.job, { files: {}, filesExpireAt: ending.now.toISOString() }, ending),
      );
    }
  };
  const machine = { start: async ({ input }: { input: BatchStep }) => void executions.push(input) };
  const batch = createBatch({
    ...{ batchId: aJobId(0, start), createdAt: start, principal: owner, request },
    manifestUrl: 'https://media.example/manifest.jsonl',
  });
  await batches.write(batch);
  await startBatch(machine, batch);
  const ended = async () => (await batches.get(batch))?.endedAt !== undefined;
  while (!(await ended())) {
    let next = executions.shift();
    if (next === undefined) {
      await clock.sleep(60_000);
      await resumeBatches({ batches, machine, clock });
    }
    while (next !== undefined) {
      isDead = false;
      const result = await step(next, new Date(clock.now().getTime() + 45_000)).catch(() => undefined);
      await work();
      await clock.sleep((result?.waitSeconds ?? 0) * 1_000);
      next = result?.status === 'wait' ? result : undefined;
    }
  }
  expect(left).toBe(0);
  expect(made.size).toBe(objects);
  expect(Math.max(...made.values())).toBe(1);
  const repeated = Math.ceil(objects / every);
  expect(await batches.get(batch)).toMatchObject({
    ...{ state: 'completed', total: objects + repeated, submitted: objects, completed: objects - 1 },
    ...{ failed: repeated + 1, unfinished: [] },
  });
  const report = new Set(failures.map(({ id, line, code }) => `${id} ${line} ${code}`));
  expect(report).toContain('o7 undefined INPUT_NOT_MEDIA');
  expect(report.size).toBe(repeated + 1);
}, 400_000);
