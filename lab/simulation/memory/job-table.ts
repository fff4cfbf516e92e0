import { isDeepStrictEqual } from 'node:util';
import { type DueKind, dueKind, dueShard } from '../../../core/jobs/durations.ts';
import type { JobChange } from '../../../core/jobs/guard.ts';
import { minJobIdAt } from '../../../core/jobs/job-id.ts';
import type {
  DueQuery,
  DueRef,
  JobListing,
  JobRef,
  JobTable,
  OwnWaitingQuery,
  WaitingRef,
} from '../../../core/jobs/ports.ts';
import { applyChunkProgress } from '../../../core/jobs/progress.ts';
import { type QueueName, queueOf } from '../../../core/jobs/queues.ts';
import type { Job, JobIn, JobRecord } from '../../../core/jobs/record.ts';
import { searchedName } from '../../../core/jobs/request-inputs.ts';
import { defaultPriority, maxPriority } from '../../../core/jobs/request-limits.ts';
import { guardHolds } from './guard-holds.ts';

export type MemoryJobTableOptions = {
  /** Applies a change of the indexes: at once by default, later to simulate stale indexes. */
  whenIndexed?: (apply: () => void) => void;
  /** Called for every write whose guard held, with the record before it. */
  onWritten?: (change: JobChange, before: JobRecord | undefined) => void;
  /** Called for every chunk progress that was recorded. */
  onProgress?: (job: Job, before: Job) => void;
};

export type MemoryJobTable = JobTable & {
  /** The earliest `dueAt` in the index. */
  nextDueAt(): string | undefined;
  /** Whether the index lists a job in this queue. */
  hasWaiting(queue: QueueName): boolean;
  /** Lists another record in the index of due work, or no more. */
  setDue(key: string, entry: DueEntry | undefined): void;
};

type IndexEntry = { version: number; state: string };
export type DueEntry = DueRef & { kind: DueKind };

/** The job table in memory. Reads of records are consistent, those of indexes may be stale, as in DynamoDB. */
export function memoryJobTable({
  whenIndexed = (apply) => apply(),
  onWritten,
  onProgress,
}: MemoryJobTableOptions = {}): MemoryJobTable {
  const owners = new Map<string, Map<string, JobRecord>>();
  const index = new Map<string, IndexEntry>();
  const dueIndex = new Map<string, DueEntry>();
  const waitingIndex = new Map<string, WaitingEntry>();
  let writes = 0;

  const find = ({ ownerId, jobId }: JobRef) => owners.get(ownerId)?.get(jobId);
  const store = (job: JobRecord) => {
    const { ownerId, jobId, state, dueAt } = job;
    const jobs = owners.get(ownerId) ?? new Map<string, JobRecord>();
    owners.set(ownerId, jobs.set(jobId, job));
    const entry = { state, version: ++writes };
    whenIndexed(() => {
      if ((index.get(jobId)?.version ?? 0) > entry.version) return;
      index.set(jobId, entry);
      if (job.state === 'queued') waitingIndex.set(jobId, waitingEntry(job));
      else waitingIndex.delete(jobId);
      if (dueAt === undefined) dueIndex.delete(jobId);
      else dueIndex.set(jobId, { ownerId, jobId, dueAt, kind: dueKind(job) });
    });
  };

  const dueVersions = new Map<string, number>();
  const setDue: MemoryJobTable['setDue'] = (key, entry) => {
    const version = ++writes;
    whenIndexed(() => {
      if ((dueVersions.get(key) ?? 0) > version) return;
      dueVersions.set(key, version);
      if (entry === undefined) dueIndex.delete(key);
      else dueIndex.set(key, entry);
    });
  };

  return {
    setDue,
    get: async (ref) => find(ref),
    write: async (change) => {
      const { job, guard } = change;
      const before = find(job);
      if (guardHolds(guard, before)) {
        store(job);
        onWritten?.(change, before);
        return { written: true };
      }
      return isDeepStrictEqual(before, job) ? { written: true, isRepeat: true } : { written: false, current: before };
    },
    recordChunkProgress: async (note) => {
      const before = find(note);
      if (before === undefined || before.state === 'deleted') return 'lost';
      const outcome = applyChunkProgress(before, note);
      if (typeof outcome === 'string') return outcome;
      store(outcome.job);
      onProgress?.(outcome.job, before);
      return 'recorded';
    },
    due: async (query) => dueRefs(dueIndex, query).slice(0, query.limit),
    waiting: async ({ limit, queue, ownerId, after }) => {
      return [...waitingIndex.values()]
        .filter((ref) => ref.queue === queue)
        .filter((ref) => ownerId === undefined || ref.ownerId === ownerId)
        .filter((ref) => after === undefined || placeOf(ref) > placeOf(after))
        .sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
        .slice(0, limit)
        .map(({ queue: _, ...ref }) => ref);
    },
    waitingIds: async (query) => waitingIds(waitingIndex, query),
    countWaiting: async ({ ahead, ...query }) =>
      [...waitingIndex.values()]
        .filter((ref) => ref.ownerId === query.ownerId && ref.queue === query.queue)
        .filter((ref) => ahead === undefined || placeOf(ref) < placeOf(ahead))
        .slice(0, query.limit).length,
    named: async ({ ownerId, prefix, limit }) =>
      [...(owners.get(ownerId)?.values() ?? [])]
        .filter((job) => job.state !== 'deleted' && searchedName(job.request).startsWith(prefix))
        .map(({ jobId }) => jobId)
        .slice(0, limit),
    nextDueAt: () => [...dueIndex.values()].map(({ dueAt }) => dueAt).sort()[0],
    hasWaiting: (queue) => [...waitingIndex.values()].some((ref) => ref.queue === queue),
    list: async (listing) => {
      const jobs = [...(owners.get(listing.ownerId)?.values() ?? [])]
        .filter((job): job is Job => job.state !== 'deleted' && isListed(job, index, listing))
        .sort((a, b) => (a.jobId < b.jobId === (listing.order === 'asc') ? -1 : 1));
      const shown = jobs.slice(0, listing.limit);
      const lastJobId = jobs.length > shown.length ? shown.at(-1)?.jobId : undefined;
      return { jobs: shown, lastJobId, unreadable: [] };
    },
  };
}

type WaitingEntry = WaitingRef & { queue: QueueName };

function waitingEntry(job: JobIn<'queued'>): WaitingEntry {
  const {
    ownerId,
    jobId,
    request: { priority = defaultPriority },
  } = job;
  return { ownerId, jobId, queue: queueOf(job), ...(priority !== defaultPriority && { priority }) };
}

/** Sorts by owner, then the highest priority first, then the oldest job. */
function placeOf({ ownerId, jobId, priority = defaultPriority }: Partial<WaitingRef>): string {
  return jobId === undefined ? `${ownerId}#~` : `${ownerId}#${maxPriority - priority}#${jobId}`;
}

function waitingIds(
  index: ReadonlyMap<string, WaitingEntry>,
  { ownerId, queue, limit, before = '~', from = '', order }: OwnWaitingQuery,
): string[] {
  return [...index.values()]
    .filter((ref) => ref.ownerId === ownerId && ref.queue === queue)
    .map(({ jobId }) => jobId)
    .filter((jobId) => jobId < before && jobId >= from)
    .sort((a, b) => (a < b === (order === 'asc') ? -1 : 1))
    .slice(0, limit);
}

function dueRefs(index: Map<string, DueEntry>, { kind, shard, now, after }: DueQuery): DueRef[] {
  const sortKey = ({ dueAt, ownerId, jobId, endpointId = '' }: DueRef) => `${dueAt} ${ownerId} ${jobId} ${endpointId}`;
  const latest = now.toISOString();
  return [...index.values()]
    .filter((entry) => entry.kind === kind && entry.dueAt <= latest && dueShard(entry.jobId) === shard)
    .filter((ref) => after === undefined || sortKey(ref) > sortKey(after))
    .sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))
    .map(({ kind: _, ...ref }) => ref);
}

function isListed(job: Job, index: Map<string, IndexEntry>, listing: JobListing): boolean {
  const { state, afterJobId, createdAfter, createdBefore, order } = listing;
  return (
    (state === undefined || (job.state === state && index.get(job.jobId)?.state === state)) &&
    (afterJobId === undefined || (order === 'asc' ? job.jobId > afterJobId : job.jobId < afterJobId)) &&
    (createdAfter === undefined || job.jobId >= minJobIdAt(createdAfter)) &&
    (createdBefore === undefined || job.jobId < minJobIdAt(createdBefore))
  );
}
