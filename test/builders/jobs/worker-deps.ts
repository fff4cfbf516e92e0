import { aVirtualClock } from '@media-jobs/testing/virtual-clock';
import { chunkSettingsSchema } from '@media-jobs/video/chunking';
import { inputLimitsSchema } from '@media-jobs/video/probe';
import type { TranscodeDeps, WorkerContext } from '../../../core/worker/worker-deps.ts';
import { memorySlowness } from '../../../lab/simulation/memory/encoder-slowness.ts';
import { memoryJobLogs } from '../../../lab/simulation/memory/job-logs.ts';
import { memoryJobTable } from '../../../lab/simulation/memory/job-table.ts';
import { memoryPermits } from '../../../lab/simulation/memory/permits.ts';
import { memoryRunningSlots } from '../../../lab/simulation/memory/running-slots.ts';
import { memorySettingsTable } from '../../../lab/simulation/memory/settings-table.ts';
import { memorySpendingCounters } from '../../../lab/simulation/memory/spending-counters.ts';
import { somePricedWorkers } from '../pricing/priced-workers.ts';
import { someContentKeys } from './content-keys.ts';
import { aProcessingJob, later } from './jobs.ts';

function unexpected(name: string) {
  return () => {
    throw new Error(`The test gives no ${name}`);
  };
}

/** What a worker's functions take: the given ones, tables in memory, and for all else functions that fail the test. */
export function workerDeps(overrides: Partial<TranscodeDeps> = {}): TranscodeDeps {
  return {
    kind: 'function',
    jobs: memoryJobTable(),
    settings: memorySettingsTable(),
    logs: memoryJobLogs(),
    encoder: {
      version: unexpected('encoder'),
      canCompare: unexpected('encoder'),
      probe: unexpected('encoder'),
      readText: unexpected('encoder'),
      writeText: unexpected('encoder'),
      run: unexpected('encoder'),
      compare: unexpected('encoder'),
    },
    packetReader: {
      readFrameIndex: unexpected('packetReader'),
      readAudioTiming: unexpected('packetReader'),
      readAudioRange: unexpected('packetReader'),
    },
    files: {
      assemble: unexpected('files'),
      upload: unexpected('files'),
      download: unexpected('files'),
      removeAll: unexpected('files'),
    },
    openObjectStore: unexpected('openObjectStore'),
    contentKeys: someContentKeys,
    workFiles: {
      readText: unexpected('workFiles'),
      writeText: unexpected('workFiles'),
      createText: unexpected('workFiles'),
      find: unexpected('workFiles'),
      list: unexpected('workFiles'),
    },
    openWorkspace: unexpected('openWorkspace'),
    download: unexpected('download'),
    maxDownloadBytes: 9_000_000_000,
    openRangeProxy: unexpected('openRangeProxy'),
    findStored: unexpected('findStored'),
    deliveries: { send: unexpected('deliveries') },
    parallel: { start: unexpected('parallel') },
    pricedStage: { architecture: 'arm64', memoryMb: 3008, retentionDays: 30 },
    clock: aVirtualClock(later(0)),
    newId: unexpected('newId'),
    limits: inputLimitsSchema.parse({}),
    chunking: chunkSettingsSchema.parse({}),
    spending: memorySpendingCounters(),
    pricedWorkers: somePricedWorkers(),
    processors: { count: 1, slowness: 1 },
    slowness: memorySlowness(),
    maxRunningChunks: 2,
    fontsDirectory: '/fonts',
    queue: { send: unexpected('queue') },
    slots: memoryRunningSlots(),
    longPermits: memoryPermits(),
    maxRunningJobs: 10,
    workers: 1_000,
    turns: { current: { claims: 0 } },
    longTurns: { current: { claims: 0 } },
    onClaimed: () => undefined,
    stallSeconds: 60,
    retentionMs: 86_400_000,
    onUnexpected: (_, cause) => {
      throw cause;
    },
    onDeliveryStartFailed: (_, cause) => {
      throw cause;
    },
    ...overrides,
  };
}

/** The context of a job that is not cancelled and has an hour. */
export function workerContext(overrides: Partial<WorkerContext> = {}): WorkerContext {
  return {
    job: aProcessingJob(),
    report: () => undefined,
    signal: new AbortController().signal,
    deadline: later(3_600_000),
    ...overrides,
  };
}
