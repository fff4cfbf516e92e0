import { aVirtualClock } from '@media-jobs/testing/virtual-clock';
import { chunkSettingsSchema } from '@media-jobs/video/chunking';
import { inputLimitsSchema } from '@media-jobs/video/probe';
import type { ClaimPorts, FunctionPorts } from '../../../core/worker/ports.ts';
import type { WorkerContext } from '../../../core/worker/worker-context.ts';
import { memoryConcurrencyLimits } from '../../../lab/simulation/memory/concurrency-limits.ts';
import { memorySlowness } from '../../../lab/simulation/memory/encoder-slowness.ts';
import { memoryJobLogs } from '../../../lab/simulation/memory/job-logs.ts';
import { memoryJobTable } from '../../../lab/simulation/memory/job-table.ts';
import { memoryRunningLimit } from '../../../lab/simulation/memory/running-limit.ts';
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

/** Of a worker, and of the claim of its job. */
export type ClaimingPorts = FunctionPorts & ClaimPorts;

type Nested = 'queue' | 'files' | 'sources' | 'money' | 'claims';

/** Some ports of a worker, and some functions of others. */
export type SomePorts = Partial<Omit<ClaimingPorts, Nested>> & {
  [Port in Nested]?: Partial<ClaimingPorts[Port]> | undefined;
};

/** The ports of a worker with some of them replaced. */
export function withPorts<Ports extends ClaimingPorts>(ports: Ports, overrides: SomePorts): Ports {
  const { queue, files, sources, money, claims, ...others } = overrides;
  return {
    ...ports,
    ...others,
    queue: { ...ports.queue, ...queue },
    files: { ...ports.files, ...files },
    sources: { ...ports.sources, ...sources },
    money: { ...ports.money, ...money },
    claims: { ...ports.claims, ...claims },
  };
}

/** What a worker's functions take: the given ones, tables in memory, and for all else functions that fail the test. */
export function workerPorts(overrides: SomePorts = {}): ClaimingPorts {
  return withPorts(failingPorts(), overrides);
}

function failingPorts(): ClaimingPorts {
  return {
    kind: 'function',
    jobs: memoryJobTable(),
    settings: memorySettingsTable(),
    logs: memoryJobLogs(),
    media: {
      version: unexpected('encoder'),
      canCompare: unexpected('encoder'),
      probe: unexpected('encoder'),
      readText: unexpected('encoder'),
      writeText: unexpected('encoder'),
      run: unexpected('encoder'),
      compare: unexpected('encoder'),
    },
    packets: {
      readFrameIndex: unexpected('packets'),
      readAudioTiming: unexpected('packets'),
      readAudioRange: unexpected('packets'),
    },
    files: {
      assemble: unexpected('files'),
      upload: unexpected('files'),
      download: unexpected('files'),
      removeAll: unexpected('files'),
      readText: unexpected('files'),
      writeText: unexpected('files'),
      createText: unexpected('files'),
      find: unexpected('files'),
    },
    openObjectStore: unexpected('openObjectStore'),
    contentKeys: someContentKeys,
    openWorkspace: unexpected('openWorkspace'),
    sources: { download: unexpected('sources'), findStored: async () => undefined },
    maxDownloadBytes: 9_000_000_000,
    openRangeProxy: unexpected('openRangeProxy'),
    deliveries: { send: unexpected('deliveries') },
    parallel: { start: unexpected('parallel') },
    money: {
      stage: { architecture: 'arm64', memoryMb: 3008, retentionDays: 30 },
      workers: somePricedWorkers(),
      counters: memorySpendingCounters(),
    },
    clock: aVirtualClock(later(0)),
    newId: unexpected('newId'),
    limits: inputLimitsSchema.parse({}),
    chunking: chunkSettingsSchema.parse({}),
    processors: { count: 1, slowness: 1 },
    slowness: memorySlowness(),
    maxRunningChunks: 2,
    fontsDirectory: '/fonts',
    queue: {
      send: unexpected('queue'),
      running: memoryRunningLimit(),
      long: memoryConcurrencyLimits(),
      maxRunningJobs: 10,
      workers: 1_000,
    },
    claims: {
      short: { current: { claims: 0 } },
      long: { current: { claims: 0 } },
      economy: { current: { claims: 0 } },
      batch: { current: { claims: 0 } },
    },
    onClaimed: () => undefined,
    stallSeconds: 60,
    retentionMs: 86_400_000,
    onUnexpected: (_, cause) => {
      throw cause;
    },
    onDeliveryStartFailed: (_, cause) => {
      throw cause;
    },
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
