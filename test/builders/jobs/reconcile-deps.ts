import { aVirtualClock } from '@media-jobs/testing/virtual-clock';
import type { ReconcileDeps } from '../../../functions/reconcile/app.ts';
import { memoryDeliveryJournal } from '../../../lab/simulation/memory/delivery-journal.ts';
import { memoryEndpointDeliveries } from '../../../lab/simulation/memory/endpoint-deliveries.ts';
import { memoryJobLogs } from '../../../lab/simulation/memory/job-logs.ts';
import { memoryJobStateMachine } from '../../../lab/simulation/memory/job-state-machine.ts';
import { memoryJobTable } from '../../../lab/simulation/memory/job-table.ts';
import { memoryMetadataIndex } from '../../../lab/simulation/memory/metadata-index.ts';
import { memoryObjectStore } from '../../../lab/simulation/memory/object-store.ts';
import { memorySettingsTable } from '../../../lab/simulation/memory/settings-table.ts';
import { memorySpendingCounters } from '../../../lab/simulation/memory/spending-counters.ts';
import { memoryUsageCounters } from '../../../lab/simulation/memory/usage-counters.ts';
import { later } from './jobs.ts';

/** What reconcile takes: the given dependencies, empty tables in memory, and services that accept everything. */
export function reconcileDeps(overrides: Partial<ReconcileDeps> = {}): ReconcileDeps {
  return {
    jobs: memoryJobTable(),
    journal: memoryDeliveryJournal(),
    endpointDeliveries: memoryEndpointDeliveries(),
    settings: memorySettingsTable(),
    logs: memoryJobLogs(),
    metadataIndex: memoryMetadataIndex(),
    usage: memoryUsageCounters(),
    spending: memorySpendingCounters(),
    files: { removeAll: async () => 'complete', readText: async () => undefined, list: async () => [] },
    openObjectStore: async () => memoryObjectStore(),
    queue: { send: async () => undefined },
    deliveries: { send: async () => undefined },
    retries: { start: async () => 'started' },
    parallel: memoryJobStateMachine(),
    money: { stage: { architecture: 'arm64', memoryMb: 3008, retentionDays: 30 } },
    clock: aVirtualClock(later(600_000)),
    newId: () => 'id',
    maxQueueMs: 24 * 3_600_000,
    maxJobsPerShard: 10,
    ownerLimit: { jobs: 50, ms: 5_000 },
    onDeliveryStartFailed: () => undefined,
    onStep: () => undefined,
    onFailure: (_, cause) => {
      throw cause;
    },
    onQueryFailure: (_, cause) => {
      throw cause;
    },
    ...overrides,
  };
}
