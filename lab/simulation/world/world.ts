import { type Random, seededRandom } from '@media-jobs/testing/random';
import type { ConcurrencyLimits } from '../../../core/concurrency-limit.ts';
import type { Reservations } from '../../../core/idempotency.ts';
import type { JobLogs } from '../../../core/jobs/attempt-log.ts';
import type { MetadataIndex } from '../../../core/jobs/metadata-index.ts';
import { entryName, type RunningLimit } from '../../../core/jobs/running-limit.ts';
import type { UsageCounters } from '../../../core/jobs/usage-counter.ts';
import type { SettingsTable } from '../../../core/settings/owner-settings.ts';
import type { StorageProviderTable } from '../../../core/storage/provider.ts';
import type { DeliveryJournal, EndpointDeliveries } from '../../../core/webhooks/delivery.ts';
import type { SlowDeliveries } from '../../../core/webhooks/slow-deliveries.ts';
import { divideCapacity } from '../../../lib/settings/capacity.ts';
import { memoryConcurrencyLimits } from '../memory/concurrency-limits.ts';
import { memoryDeliveryJournal } from '../memory/delivery-journal.ts';
import { memoryEndpointDeliveries } from '../memory/endpoint-deliveries.ts';
import { memoryJobLogs } from '../memory/job-logs.ts';
import { type MemoryJobTable, memoryJobTable } from '../memory/job-table.ts';
import { memoryMetadataIndex } from '../memory/metadata-index.ts';
import { type MemoryObjectStore, memoryObjectStore } from '../memory/object-store.ts';
import { memoryReservations } from '../memory/reservations.ts';
import { memoryRunningLimit } from '../memory/running-limit.ts';
import { memorySettingsTable } from '../memory/settings-table.ts';
import { memorySlowDeliveries } from '../memory/slow-deliveries.ts';
import { type MemorySpendingCounters, memorySpendingCounters } from '../memory/spending-counters.ts';
import { memoryStorageProviderTable } from '../memory/storage-provider-table.ts';
import { memoryUsageCounters } from '../memory/usage-counters.ts';
import { type Bucket, memoryBucket } from './bucket.ts';
import type { CallPoint, Fault, FaultPlan } from './fault.ts';
import { idsFrom } from './ids.ts';
import type { Actor, LogEntry } from './log.ts';
import { type Scheduler, scheduler } from './scheduler.ts';

/** Everything outside of the functions: services, faults and the log. */
export type World = {
  scheduler: Scheduler;
  plan: FaultPlan;
  random: Random;
  entries: readonly LogEntry[];
  log(entry: LogEvent): void;
  /** The fault of a call that an app is about to make. */
  faultOf(call: Pick<CallPoint, 'app' | 'effect' | 'goesOn'>): Fault | undefined;
  /** The number of calls so far. */
  calls(): number;
  nextInvocation(): number;
  newId(now: Date): string;
  jobs: MemoryJobTable;
  journal: DeliveryJournal;
  endpointDeliveries: EndpointDeliveries;
  logs: JobLogs;
  usage: UsageCounters;
  spending: MemorySpendingCounters;
  /** Dollars that the jobs of each owner may cost in a day. */
  usdPerDay: number | undefined;
  settings: SettingsTable;
  providers: StorageProviderTable;
  metadataIndex: MetadataIndex;
  reservations: Reservations;
  running: RunningLimit;
  maxRunningJobs: number;
  /** Messages that the queue delivers at the same time. */
  workers: number;
  /** First attempts of webhooks at the same time. */
  firstAttempts: number;
  maxPoolTasks: number;
  slowDeliveries: SlowDeliveries;
  longLimit: ConcurrencyLimits;
  bucket: Bucket;
  /** The storage provider of the owners that have one. */
  provider: MemoryObjectStore;
  /** Performs a write in the name of an actor, for the log. */
  actingAs<T>(actor: Actor, perform: () => T): T;
};

type WithoutTime<T> = T extends unknown ? Omit<T, 'at'> : never;
export type LogEvent = WithoutTime<LogEntry>;

export type WorldOptions = {
  seed: number;
  plan: FaultPlan;
  /** Jobs of one owner that run at the same time; by default as many as a scenario has. */
  maxRunningJobs?: number | undefined;
  /** Jobs that are processed at the same time; by default as many as a scenario has. */
  workers?: number | undefined;
  /** First attempts of webhooks at the same time; by default as many as an account with 1,000 executions has. */
  firstAttempts?: number | undefined;
  usdPerDay?: number | undefined;
  /** Tasks of the pool at the same time. */
  maxPoolTasks?: number | undefined;
  /** Called for every call, with the app that makes it on the stack. */
  onCall?: () => void;
};

const startsAt = Date.parse('2026-03-01T12:00:00.000Z');

/** A new world with an empty log. */
export function newWorld({
  seed,
  plan,
  maxRunningJobs = 1_000,
  workers = 1_000,
  firstAttempts = divideCapacity({ capacity: 1_000 }).firstAttempts,
  usdPerDay,
  maxPoolTasks = 10,
  onCall,
}: WorldOptions): World {
  const random = seededRandom(seed);
  const time = scheduler(startsAt);
  const entries: LogEntry[] = [];
  const log = (event: LogEvent) => void entries.push({ at: time.now(), ...event } as LogEntry);
  let actor: Actor = { app: '', invocation: 0 };
  let calls = 0;
  let invocations = 0;
  const jobs = memoryJobTable({
    whenIndexed: (apply) => time.at(time.now() + plan.indexLagMs(), apply),
    onWritten: ({ job, guard }, before) => log({ kind: 'written', ...actor, guard, before, after: job }),
    onProgress: (after, before) => log({ kind: 'recorded', ...actor, before, after }),
  });

  return {
    scheduler: time,
    plan,
    random,
    entries,
    log,
    faultOf: (call) => {
      onCall?.();
      return plan.faultOf({ ...call, index: calls++, now: time.now() });
    },
    calls: () => calls,
    nextInvocation: () => ++invocations,
    newId: idsFrom(random),
    jobs,
    journal: memoryDeliveryJournal({ onWritten: (attempt) => log({ kind: 'attempt', ...actor, attempt }) }),
    logs: memoryJobLogs({ onChanged: ({ jobId }, count) => log({ kind: 'logs', jobId, count }) }),
    usage: memoryUsageCounters({
      onWritten: ({ ownerId, group }, counter) => log({ kind: 'usage', ownerId, group, counter }),
    }),
    spending: memorySpendingCounters({
      onWritten: ({ ownerId, keyId }, counter) => log({ kind: 'spending', ownerId, keyId, counter }),
    }),
    usdPerDay,
    settings: memorySettingsTable(),
    endpointDeliveries: memoryEndpointDeliveries({
      jobs,
      onWritten: (ref, written) => log({ kind: 'endpoint-written', ...actor, ref, ...written }),
    }),
    providers: memoryStorageProviderTable(),
    metadataIndex: memoryMetadataIndex(),
    reservations: memoryReservations(),
    running: memoryRunningLimit({
      onChanged: (ownerId, entries) => {
        log({ kind: 'running', ownerId, entries: entries.map(entryName), max: maxRunningJobs, workers });
      },
    }),
    maxRunningJobs,
    workers,
    firstAttempts,
    maxPoolTasks,
    slowDeliveries: memorySlowDeliveries(),
    longLimit: memoryConcurrencyLimits(),
    bucket: memoryBucket(log),
    provider: memoryObjectStore({ onChange: log }),
    actingAs: (who, perform) => {
      actor = who;
      return perform();
    },
  };
}
