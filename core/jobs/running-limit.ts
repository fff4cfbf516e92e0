import type { JobChange } from './guard.ts';
import type { JobRef } from './ports.ts';
import { threeQuarters } from './queues.ts';
import type { JobIn, JobRecord } from './record.ts';

/**
 * The limit of an owner's running jobs (`maxRunningJobs`) counts entries: one for each attempt at a job. An attempt enters
 * before it is claimed, so a running job always counts. Attempts only count up, so the record shows whether an entry is
 * still needed: nothing can drift.
 */
export type RunningEntry = JobRef & { attempt: number };

/** The name of an entry: `<jobId>#<attempt>`. */
export function entryName({ jobId, attempt }: Pick<RunningEntry, 'jobId' | 'attempt'>): string {
  return `${jobId}#${attempt}`;
}

export function parseEntry(ownerId: string, text: string): RunningEntry {
  const [jobId = '', attempt] = text.split('#');
  return { ownerId, jobId, attempt: Number(attempt) };
}

export function nextEntry({ ownerId, jobId, attempt }: JobIn<'queued'>): RunningEntry {
  return { ownerId, jobId, attempt: attempt + 1 };
}

/**
 * Whether the attempt of an entry has ended or can never be claimed. An entry of a job that is about to be claimed is not
 * void.
 */
export function isVoid({ attempt }: RunningEntry, record: JobRecord | undefined): boolean {
  if (record?.state === 'queued') return record.attempt >= attempt;
  return record?.state !== 'processing' || record.attempt > attempt;
}

/** The entry that a written change removes from the limit: it ended the attempt of a processing job. */
export function entryLeftBy({ job, guard }: JobChange): RunningEntry | undefined {
  const wasProcessing = 'leaseId' in guard || ('state' in guard && guard.state === 'processing');
  if (!wasProcessing || job.state === 'processing' || job.state === 'deleted') return undefined;
  return { ownerId: job.ownerId, jobId: job.jobId, attempt: job.attempt };
}

/** `next`: a job that waited, if the limit was reached. `running` is at least the number of entries before. */
export type LeftEntry = { running: number; next: JobRef | undefined };

/**
 * The workers that one owner may hold while another waits: three quarters, and at least one. As many of the
 * claims `chooseOwner` gives to the owner with fewer jobs.
 */
export function workersOfOwner(workers: number): number {
  return Math.max(1, threeQuarters(workers));
}

/** `maxWorkers` counts only the entries of jobs that hold a worker. */
export type RunningLimits = { max: number; maxWorkers?: number | undefined };

/** The limit of running jobs, by owner. An entry holds a worker until its job is delegated. */
export type RunningLimit = {
  /** Counts an attempt, unless others have reached a limit. To enter again succeeds. */
  enter(entry: RunningEntry, limits: RunningLimits): Promise<boolean>;
  /** The job was delegated to an execution: its entry holds no worker any more. */
  releaseWorker(entry: RunningEntry): Promise<void>;
  /**
   * Remembers that a job waits. False if fewer than `max` attempts count now. A job beyond `maxRemembered`
   * is not remembered: the index of waiting jobs lists it by then.
   */
  waitFor(entry: RunningEntry, max: number): Promise<boolean>;
  /** Counts an attempt no longer. A job in `next` is forgotten: the caller wakes a worker. */
  leave(entry: RunningEntry): Promise<LeftEntry>;
  /** The entries in the part of the limit that has this one. A low limit has one part. */
  list(entry: RunningEntry): Promise<RunningEntry[]>;
  /** Whether that part is full. May be stale. */
  isFull(entry: RunningEntry, max: number): Promise<boolean>;
  /** The ids of the jobs that have an entry: all processing jobs of the owner, and jobs whose entries are void. */
  jobs(ownerId: string): Promise<string[]>;
};

/** Maximum jobs that wait in one part of the limit. Bounds its item. */
export const maxRemembered = 20;

/** Maximum entries in one part. A write costs a unit for each kilobyte of its item, which ten entries take. */
const maxEntriesPerPart = 16;

export function runningParts(max: number): number {
  return Math.ceil(max / maxEntriesPerPart);
}

/** The part that a job enters while there is room. Spreads ids by their last characters, which are random. */
export function homePart({ jobId }: Pick<JobRef, 'jobId'>, parts: number): number {
  return [...jobId.slice(-6)].reduce((hash, digit) => (hash * 31 + digit.charCodeAt(0)) % 65_521, 0) % parts;
}
