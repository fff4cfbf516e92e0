import { randomBytes } from 'node:crypto';
import { aVirtualClock } from '@media-jobs/testing/virtual-clock';
import type { RouteRequest } from '../../../adapters/runtime/http/route.ts';
import type { Principal } from '../../../core/access/authentication.ts';
import type { SpendingLimits } from '../../../core/access/key-record.ts';
import type { createJobContract } from '../../../core/api/create-job.ts';
import type { JobTable } from '../../../core/jobs/ports.ts';
import { createJob } from '../../../functions/submission/create-job.ts';
import { memoryJobTable } from '../../../lab/simulation/memory/job-table.ts';
import { memoryMetadataIndex } from '../../../lab/simulation/memory/metadata-index.ts';
import { memoryPresetTable } from '../../../lab/simulation/memory/preset-table.ts';
import { memoryReservations } from '../../../lab/simulation/memory/reservations.ts';
import { memoryRunningLimit } from '../../../lab/simulation/memory/running-limit.ts';
import { memorySettingsTable } from '../../../lab/simulation/memory/settings-table.ts';
import { memorySpendingCounters } from '../../../lab/simulation/memory/spending-counters.ts';
import { memoryStorageProviderTable } from '../../../lab/simulation/memory/storage-provider-table.ts';
import { someContentKeys } from '../jobs/content-keys.ts';
import { aJobId, aRequest, start } from '../jobs/jobs.ts';
import { stageSpeeds } from '../jobs/stage-speeds.ts';
import { callRoute } from './call-route.ts';

export type Body = RouteRequest<typeof createJobContract>['body'];

export const body = aRequest as Body;
const rules = { schemes: ['https' as const], reachable: [] };
export const failed = new Error('the service failed');

/**
 * The route that creates jobs, on a table in memory and a list of sent messages. Both can be made to fail. An owner may have
 * three unfinished jobs, two of them running.
 */
export function aCreateJobRoute(limits: Parameters<typeof createJob>[0]['limits'] | SpendingLimits = {}) {
  const table = memoryJobTable();
  const running = memoryRunningLimit();
  const clock = aVirtualClock(start);
  const spending = memorySpendingCounters();
  const sent: string[] = [];
  const unsent: string[] = [];
  const broken = { write: false, send: false };
  let ids = 0;
  const jobs: JobTable = {
    ...table,
    countWaiting: (query) => table.countWaiting(query),
    write: async (change) => {
      if (broken.write) throw failed;
      return table.write(change);
    },
  };
  const presets = memoryPresetTable();
  const providers = memoryStorageProviderTable();
  const app = createJob({
    jobs,
    providers,
    presets,
    running,
    metadataIndex: memoryMetadataIndex(),
    reservations: memoryReservations(),
    spending,
    minuteUsd: 0.0024,
    speeds: stageSpeeds,
    settings: memorySettingsTable(),
    queue: {
      send: async ({ jobId }) => {
        if (broken.send) throw failed;
        sent.push(jobId);
      },
    },
    onSendFailed: ({ jobId }) => void unsent.push(jobId),
    clock,
    newJobId: (createdAt) => aJobId(++ids, createdAt),
    randomBytes,
    urlRules: { input: rules, webhook: rules, buckets: { buckets: [], region: 'us-east-1' } },
    contentKeys: someContentKeys,
    limits: { maxUnfinishedJobs: 3, maxRunningJobs: 2, ...limits },
  });
  const post = (more: Partial<Body> = {}, key?: string, caller: string | Principal = 'owner-1') => {
    // As JSON has it: a field that is undefined is not there.
    const sentBody = JSON.parse(JSON.stringify({ ...body, ...more })) as Body;
    return callRoute(app, {
      ...(typeof caller === 'string' ? { ownerId: caller } : { principal: caller }),
      body: sentBody,
      rawBody: sentBody,
      headers: { 'idempotency-key': key },
    });
  };
  const list = async (ownerId = 'owner-1') => (await table.list({ ownerId, limit: 100 })).jobs;
  /** The newest job, which is queued. */
  const queued = async () => {
    const [job] = await list();
    if (job?.state !== 'queued') throw new Error('The job is queued');
    return job;
  };
  return { table, running, clock, sent, unsent, broken, post, list, queued, spending, providers, presets };
}
