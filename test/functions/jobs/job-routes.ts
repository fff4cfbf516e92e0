import { randomBytes } from 'node:crypto';
import { aVirtualClock } from '@media-jobs/testing/virtual-clock';
import type { Principal } from '../../../core/access/authentication.ts';
import type { JobTable } from '../../../core/jobs/ports.ts';
import type { JobRecord, TerminalJob } from '../../../core/jobs/record.ts';
import { countUsage } from '../../../core/spending/count-usage.ts';
import { cancelJob, deleteJob, retryJob } from '../../../functions/jobs/job-actions.ts';
import { memoryJobStateMachine } from '../../../lab/simulation/memory/job-state-machine.ts';
import { memoryJobTable } from '../../../lab/simulation/memory/job-table.ts';
import { memoryMetadataIndex } from '../../../lab/simulation/memory/metadata-index.ts';
import { memoryPlaybackRecords } from '../../../lab/simulation/memory/playback-records.ts';
import { memoryReservations } from '../../../lab/simulation/memory/reservations.ts';
import { memoryRunningLimit } from '../../../lab/simulation/memory/running-limit.ts';
import { memorySettingsTable } from '../../../lab/simulation/memory/settings-table.ts';
import { memorySpendingCounters } from '../../../lab/simulation/memory/spending-counters.ts';
import { memoryStorageProviderTable } from '../../../lab/simulation/memory/storage-provider-table.ts';
import { memoryUsageCounters } from '../../../lab/simulation/memory/usage-counters.ts';
import { callRoute } from '../../builders/http/call-route.ts';
import { aJobId, later } from '../../builders/jobs/jobs.ts';
import { stageSpeeds } from '../../builders/jobs/stage-speeds.ts';

const jobId = aJobId(1);
/** The job that the routes of `jobRoutes` change. */
export const ref = { ownerId: 'owner-1', jobId };

const aSession: Principal = { ownerId: ref.ownerId, caller: 'session' };

/** The routes that change one job. `before` runs after each read, before the write. */
export async function jobRoutes(record: JobRecord, before?: (jobs: JobTable) => Promise<unknown>) {
  const table = memoryJobTable();
  await table.write({ job: record, guard: { absent: true } });
  const started: string[] = [];
  const sent: string[] = [];
  const clock = aVirtualClock(later(5_000));
  const jobs: JobTable = {
    ...table,
    write: async (change) => {
      await before?.(table);
      return table.write(change);
    },
  };
  const ending = {
    jobs,
    settings: memorySettingsTable(),
    deliveries: { send: async ({ deliveryId }: { deliveryId: string }) => void started.push(deliveryId) },
    clock,
    newId: () => 'delivery-9',
    money: { stage: { architecture: 'arm64' as const, memoryMb: 3008, retentionDays: 30 } },
    onDeliveryStartFailed: () => {},
  };
  const playbacks = memoryPlaybackRecords();
  const usage = memoryUsageCounters();
  const spending = memorySpendingCounters();
  const parallel = memoryJobStateMachine();
  parallel.running.set('parallel-1', undefined);
  const broken = { send: false };
  const queue = {
    send: async ({ jobId: id }: { jobId: string }) => {
      if (broken.send) throw new Error('the queue failed');
      sent.push(id);
    },
  };
  let ids = 1;
  const newJobId = (createdAt: Date) => aJobId(++ids, createdAt);
  const limits = { maxUnfinishedJobs: 3, maxRunningJobs: 2 };
  const providers = memoryStorageProviderTable();
  const retrying = retryJob({
    jobs,
    providers,
    running: memoryRunningLimit(),
    metadataIndex: memoryMetadataIndex(),
    reservations: memoryReservations(),
    spending,
    minuteUsd: 0.0024,
    speeds: stageSpeeds,
    queue,
    onSendFailed: () => undefined,
    clock,
    newJobId,
    randomBytes,
    limits,
  });
  const params = { id: jobId };
  return {
    started,
    sent,
    broken,
    providers,
    list: async () => (await table.list({ ownerId: ref.ownerId, limit: 100 })).jobs,
    store: (job: JobRecord) => table.write({ job, guard: { absent: true } }),
    stored: (id = jobId) => table.get({ ...ref, jobId: id }),
    parallel,
    cancel: (principal = aSession) =>
      callRoute(cancelJob({ ...ending, parallel, onStopFailed: () => {} }), { params, principal }),
    retry: (key?: string, id = jobId, principal = aSession) =>
      callRoute(retrying, { params: { id }, headers: { 'idempotency-key': key }, principal }),
    remove: () =>
      callRoute(deleteJob({ jobs, playbacks, usage, spending, clock, onUsageFailure: () => {} }), { params }),
    usage,
    count: (ended: TerminalJob) => countUsage({ jobs, usage, spending, clock }, ended),
  };
}
