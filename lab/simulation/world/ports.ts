import type { SlownessStore } from '@media-jobs/video/cost-model';
import { JobError } from '@media-jobs/video/errors';
import type { ConcurrencyLimits } from '../../../core/concurrency-limit.ts';
import { announcingEvents, type FeedEntry } from '../../../core/feed/feed-entry.ts';
import type { Reservations } from '../../../core/idempotency.ts';
import type { JobLogs } from '../../../core/jobs/attempt-log.ts';
import type { ListedFiles, ParallelStateMachine, WorkFiles } from '../../../core/jobs/chunked-ports.ts';
import type { JobQueue } from '../../../core/jobs/job-queue.ts';
import type { MetadataIndex } from '../../../core/jobs/metadata-index.ts';
import type { FargateMachine, JobRef, JobTable, PoolMachine } from '../../../core/jobs/ports.ts';
import type { RunningLimit } from '../../../core/jobs/running-limit.ts';
import type { UsageCounters } from '../../../core/jobs/usage-counter.ts';
import type { SettingsTable } from '../../../core/settings/owner-settings.ts';
import type { SpendingCounters } from '../../../core/spending/spending-counter.ts';
import type { OpenObjectStore } from '../../../core/storage/object-store.ts';
import type { StorageProviderTable } from '../../../core/storage/provider.ts';
import { leavingLimits } from '../../../core/termination/terminate-job.ts';
import type { BusEvent, DeliveryJournal, EndpointDeliveries } from '../../../core/webhooks/delivery.ts';
import type { SlowDeliveries } from '../../../core/webhooks/slow-deliveries.ts';
import { someContentKeys } from '../../../test/builders/jobs/content-keys.ts';
import { somePricedWorkers } from '../../../test/builders/pricing/priced-workers.ts';
import type { Invocation } from './invocation-types.ts';
import type { StoredMedia } from './media-origin.ts';
import type { Services } from './services.ts';

/** Deliveries of one owner at the same time while its receivers are slow. */
export const maxSlowDeliveries = 2;

/** The waits before each later attempt of an abandoned delivery. */
export const laterAttemptsMs: readonly number[] = [5 * 60_000, 30 * 60_000];

/** The ports of one invocation to the services of its world: every call may have a fault. */
export function portsOf(
  { world, queue, deliveries, executions, parallel: machine, fargate, pool }: Services,
  { app, id, call, clock }: Invocation,
) {
  const act = <T>(perform: () => T) => world.actingAs({ app, invocation: id }, perform);
  const table: JobTable = {
    get: (ref) => call('jobs.get', () => world.jobs.get(ref), about(ref)),
    write: (change) => call('jobs.write', () => act(() => world.jobs.write(change)), about(change.job)),
    recordChunkProgress: (note) =>
      call('jobs.recordChunkProgress', () => act(() => world.jobs.recordChunkProgress(note)), about(note)),
    list: (listing) => call('jobs.list', () => world.jobs.list(listing)),
    due: (query) => call('jobs.due', () => world.jobs.due(query)),
    waiting: (query) => call('jobs.waiting', () => world.jobs.waiting(query)),
    waitingIds: (query) => call('jobs.waitingIds', () => world.jobs.waitingIds(query)),
    countWaiting: (query) => call('jobs.countWaiting', () => world.jobs.countWaiting(query)),
    named: (query) => call('jobs.named', () => world.jobs.named(query)),
  };
  const running: RunningLimit = {
    enter: (entry, limits) => call('running.enter', () => world.running.enter(entry, limits), about(entry)),
    releaseWorker: (entry) => call('running.releaseWorker', () => world.running.releaseWorker(entry), about(entry)),
    waitFor: (entry, max) => call('running.waitFor', () => world.running.waitFor(entry, max), about(entry)),
    leave: (entry) => call('running.leave', () => world.running.leave(entry), about(entry)),
    list: (entry) => call('running.list', () => world.running.list(entry)),
    isFull: (entry, max) => world.running.isFull(entry, max),
    jobs: (ownerId) => call('running.jobs', () => world.running.jobs(ownerId)),
  };
  const long: ConcurrencyLimits = {
    enter: (entry, most) => call('long.enter', () => world.longLimit.enter(entry, most)),
    leave: (entry) => call('long.leave', () => world.longLimit.leave(entry)),
  };
  const slowDeliveries: SlowDeliveries = {
    mark: (receiver, times) =>
      call('slowDeliveries.mark', () => {
        world.log({ kind: 'slow-receivers', ...receiver });
        return world.slowDeliveries.mark(receiver, times);
      }),
    enter: (delivery, limit) =>
      call('slowDeliveries.enter', () => world.slowDeliveries.enter(delivery, limit), about(delivery)),
    leave: (delivery, limit) =>
      call('slowDeliveries.leave', () => world.slowDeliveries.leave(delivery, limit), about(delivery)),
  };
  const queuePort: JobQueue = {
    send: (ref: JobRef, { delaySeconds = 0 }: { delaySeconds?: number } = {}) =>
      call('queue.send', async () => queue.send(ref, delaySeconds * 1_000), about(ref)),
    running,
    long,
    maxRunningJobs: world.maxRunningJobs,
    workers: world.workers,
  };
  const announced = (entry: FeedEntry) =>
    call('feed.add', async () => world.log({ kind: 'announced', entry }), about(entry));
  const feed = {
    add: announced,
    move: (entry: FeedEntry, movedToMs: number) => announced({ ...entry, movedToMs }),
  };
  const jobs = leavingLimits(announcingEvents({ jobs: table, feed, clock }), {
    queue: queuePort,
    onLeaveFailed: () => undefined,
  });
  const journal: DeliveryJournal = {
    open: (attempt) => call('journal.open', () => act(() => world.journal.open(attempt)), about(attempt)),
    close: (attempt) => call('journal.close', () => act(() => world.journal.close(attempt)), about(attempt)),
    get: (ref) => call('journal.get', () => world.journal.get(ref), about(ref)),
    list: (of) => call('journal.list', () => world.journal.list(of), about(of)),
    listLatest: (of, limit) => world.journal.listLatest(of, limit),
    removeAll: (of, options) => call('journal.removeAll', () => world.journal.removeAll(of, options), about(of)),
  };
  const logs: JobLogs = {
    put: (ref, log, expiresAt) => call('logs.put', () => world.logs.put(ref, log, expiresAt), about(ref)),
    list: (ref) => world.logs.list(ref),
    removeAll: (ref) => call('logs.removeAll', () => world.logs.removeAll(ref), about(ref)),
  };
  const endpointDeliveries: EndpointDeliveries = {
    get: (ref) => call('endpointDeliveries.get', () => world.endpointDeliveries.get(ref), about(ref)),
    write: (ref, delivery, guard) =>
      call(
        'endpointDeliveries.write',
        () => act(() => world.endpointDeliveries.write(ref, delivery, guard)),
        about(ref),
      ),
    remove: (ref) => call('endpointDeliveries.remove', () => world.endpointDeliveries.remove(ref), about(ref)),
  };
  const usage: UsageCounters = {
    read: (ref) => call('usage.read', () => world.usage.read(ref), about(ref)),
    write: (ref, counter) => call('usage.write', () => world.usage.write(ref, counter), about(ref)),
  };
  const spending: SpendingCounters = {
    read: (ref) => call('spending.read', () => world.spending.read(ref), about(ref)),
    write: (ref, counter) => call('spending.write', () => world.spending.write(ref, counter), about(ref)),
    reserve: (ref, wanted) => call('spending.reserve', () => world.spending.reserve(ref, wanted), about(ref)),
    due: (now) => call('spending.due', () => world.spending.due(now)),
  };
  // The time of a simulated encode says nothing about its cost.
  const slowness: SlownessStore = {
    read: () => call('slowness.read', async () => ({})),
    write: () => call('slowness.write', async () => undefined),
  };
  const settings: SettingsTable = {
    get: (ownerId) => call('settings.get', () => world.settings.get(ownerId)),
    change: (ownerId, change, now) => call('settings.change', () => world.settings.change(ownerId, change, now)),
    ensureOwnerSince: (ownerId, since) => world.settings.ensureOwnerSince(ownerId, since),
    replaceEndpoints: (ownerId, endpoints) => world.settings.replaceEndpoints(ownerId, endpoints),
    markSlowReceivers: (ownerId, until) =>
      call('settings.markSlowReceivers', () => world.settings.markSlowReceivers(ownerId, until)),
    ensureSecrets: (ownerId, secrets) =>
      call('settings.ensureSecrets', () => world.settings.ensureSecrets(ownerId, secrets)),
    replaceSecrets: (ownerId, change) =>
      call('settings.replaceSecrets', () => world.settings.replaceSecrets(ownerId, change)),
  };
  const providers: Pick<StorageProviderTable, 'get'> = {
    get: (ref) => call('providers.get', () => world.providers.get(ref)),
  };
  const metadataIndex: MetadataIndex = {
    add: (job) => call('metadataIndex.add', () => world.metadataIndex.add(job)),
    remove: (job) => call('metadataIndex.remove', () => world.metadataIndex.remove(job)),
    find: (query) => call('metadataIndex.find', () => world.metadataIndex.find(query)),
  };
  const reservations: Reservations = {
    reserve: (wanted, now) => call('reservations.reserve', () => world.reservations.reserve(wanted, now)),
    find: (key, now) => call('reservations.find', () => world.reservations.find(key, now)),
    complete: (reservation, result) =>
      call('reservations.complete', () => world.reservations.complete(reservation, result)),
  };
  const workFiles: WorkFiles & ListedFiles = {
    readText: (key) => call('files.readText', async () => textOf(world.bucket.find(key))),
    writeText: (key, text) => call('files.writeText', async () => world.bucket.put(key, asObject(text))),
    createText: (key, text) =>
      call('files.createText', async () => {
        const found = textOf(world.bucket.find(key));
        if (found === undefined) world.bucket.put(key, asObject(text));
        return found === undefined || found === text;
      }),
    find: (key) => call('files.find', async () => world.bucket.find(key)),
    list: (prefix) => call('files.list', async () => world.bucket.list(prefix)),
  };
  const parallel: ParallelStateMachine = {
    start: (execution) => call('parallel.start', async () => machine.start(execution), about(execution.input)),
    stop: (name) => call('parallel.stop', async () => machine.stop(name), ofExecution(name)),
    isRunning: (name) => call('parallel.isRunning', async () => machine.isRunning(name), ofExecution(name)),
  };
  const fargateMachine: FargateMachine = {
    start: (execution) => call('fargate.start', async () => fargate.start(execution), about(execution.input)),
    stop: (name) => call('fargate.stop', async () => fargate.stop(name), ofExecution(name)),
    isRunning: (name) => call('fargate.isRunning', async () => fargate.isRunning(name), ofExecution(name)),
  };
  const poolMachine: PoolMachine = {
    start: (name) => call('pool.start', async () => pool.start(name)),
    countRunning: (max) => call('pool.countRunning', async () => Math.min(max, pool.running())),
  };
  /** The adapter converts every error of a provider. */
  const atProvider = <T>(effect: string, perform: () => Promise<T>, object: { key: string }): Promise<T> =>
    call(effect, perform, jobOfKey(object)).catch((cause: unknown) => {
      throw cause instanceof JobError ? cause : new JobError('UPLOAD_ERROR', 'The provider failed.', { cause });
    });
  const openObjectStore: OpenObjectStore = async () => ({
    prefix: undefined,
    begin: (object, signal) => atProvider('provider.begin', () => world.provider.begin(object, signal), object),
    send: (upload, file) => atProvider('provider.send', () => world.provider.send(upload, file), upload),
    complete: (file, mark) => atProvider('provider.complete', () => world.provider.complete(file, mark), file),
    abort: (upload) => atProvider('provider.abort', () => world.provider.abort(upload), upload),
    unfinished: (key) => atProvider('provider.unfinished', () => world.provider.unfinished(key), { key }),
    remove: (key, mark) => atProvider('provider.remove', () => world.provider.remove(key, mark), { key }),
  });
  return {
    jobs,
    openObjectStore,
    journal,
    endpointDeliveries,
    settings,
    slowDeliveries,
    random: () => world.random.next(),
    maxSlowDeliveries,
    providers,
    metadataIndex,
    reservations,
    clock,
    newId: () => world.newId(clock.now()),
    newJobId: (createdAt: Date) => world.newId(createdAt),
    running,
    maxRunningJobs: world.maxRunningJobs,
    queue: queuePort,
    onSendFailed: () => undefined,
    deliveries: {
      send: (delivery: Parameters<typeof deliveries.send>[0]) =>
        call('deliveries.send', async () => deliveries.send(delivery), about(delivery)),
    },
    retries: {
      start: (execution: Parameters<typeof executions.start>[0]) =>
        call('retries.start', async () => executions.start(execution), about(execution.input)),
    },
    eventBus: {
      publish: ({ detail: { jobId } }: BusEvent) =>
        call('eventBus.publish', async () => world.log({ kind: 'published', jobId }), { jobId }),
    },
    onPublishFailed: () => undefined,
    onMarkFailed: () => undefined,
    files: {
      ...workFiles,
      publicUrl: 'https://api.example',
      fileUrlSeconds: 3_600,
      setUrlSeconds: 86_400,
      removeAll: (prefix: string, { except = [] }: { except?: readonly string[] } = {}) =>
        call(
          'files.removeAll',
          async () => {
            world.bucket.removeAll(prefix, except);
            return 'complete' as const;
          },
          { jobId: prefix.split('/')[1] ?? '' },
        ),
    },
    logs,
    contentKeys: someContentKeys,
    usage,
    spending,
    slowness,
    money: {
      stage: { architecture: 'arm64' as const, memoryMb: 3008, retentionDays: 7 },
      // Estimates are low, so that a job reaches its limit while it is encoded.
      workers: somePricedWorkers({ slowness: 0.001 }),
      counters: spending,
    },
    onUsageFailure: () => undefined,
    parallel,
    fargateMachine,
    pool: { machine: poolMachine, maxTasks: world.maxPoolTasks },
    onDeliveryStartFailed: () => undefined,
    onStopFailed: () => undefined,
    randomBytes: (size: number) => Uint8Array.from({ length: size }, () => world.random.between(0, 255)),
  };
}

function about({ jobId }: { jobId: string }): { jobId: string } {
  return { jobId };
}

/** The job of a key at a storage provider, which begins with its id. */
function jobOfKey({ key }: { key: string }): { jobId: string } {
  return { jobId: key.split('/')[0] ?? '' };
}

/** The job of an execution, whose name is `<jobId>-<attempt>`. */
function ofExecution(name: string): { jobId: string } {
  return { jobId: name.replace(/-\d+$/, '') };
}

function asObject(text: string): StoredMedia {
  return { made: { kind: 'text', text }, etag: text, sizeBytes: text.length };
}

function textOf(object: StoredMedia | undefined): string | undefined {
  return object?.made.kind === 'text' ? object.made.text : undefined;
}
