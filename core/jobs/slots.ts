import type { JobChange } from './guard.ts';
import type { JobRef } from './ports.ts';
import type { JobIn, JobRecord } from './record.ts';
import { threeQuarters } from './shares.ts';

/**
 * A slot among an owner's running jobs: one attempt of one job. It is taken before the attempt is claimed, so a running
 * job always has one. Attempts only count up, so the record shows whether a slot is still needed: nothing can drift.
 */
export type Slot = JobRef & { attempt: number };

/** The text of a slot: `<jobId>#<attempt>`. */
export function formatSlot({ jobId, attempt }: Pick<Slot, 'jobId' | 'attempt'>): string {
  return `${jobId}#${attempt}`;
}

export function parseSlot(ownerId: string, text: string): Slot {
  const [jobId = '', attempt] = text.split('#');
  return { ownerId, jobId, attempt: Number(attempt) };
}

export function nextSlot({ ownerId, jobId, attempt }: JobIn<'queued'>): Slot {
  return { ownerId, jobId, attempt: attempt + 1 };
}

/**
 * Whether the attempt of a slot has ended or can never be claimed. A slot of a job that is about to be claimed is not
 * void.
 */
export function isVoid({ attempt }: Slot, record: JobRecord | undefined): boolean {
  if (record?.state === 'queued') return record.attempt >= attempt;
  return record?.state !== 'processing' || record.attempt > attempt;
}

/** The slot that a written change frees: it ended the attempt of a processing job. */
export function slotFreedBy({ job, guard }: JobChange): Slot | undefined {
  const wasProcessing = 'leaseId' in guard || ('state' in guard && guard.state === 'processing');
  if (!wasProcessing || job.state === 'processing' || job.state === 'deleted') return undefined;
  return { ownerId: job.ownerId, jobId: job.jobId, attempt: job.attempt };
}

/** `next` is a job that waited for a slot, if the slots were full. `taken` is at least the number of slots before. */
export type FreedSlot = { taken: number; next: JobRef | undefined };

/**
 * The workers that one owner may hold while another waits: three quarters, and at least one. It is the share of claims
 * that `chooseOwner` gives to the owner with fewer jobs.
 */
export function workersOfOwner(workers: number): number {
  return Math.max(1, threeQuarters(workers));
}

/** `maxWorkers` counts only the slots of jobs that hold a worker. */
export type SlotLimits = { max: number; maxWorkers?: number | undefined };

/** The slots of running jobs, by owner. A slot holds a worker until its job is delegated. */
export type RunningSlots = {
  /** Takes a slot unless a limit is reached by others. Taking the same slot again succeeds. */
  take(slot: Slot, limits: SlotLimits): Promise<boolean>;
  /** The job was delegated to an execution: its slot holds no worker any more. */
  releaseWorker(slot: Slot): Promise<void>;
  /**
   * Remembers that a job waits for a slot. False if fewer than `max` slots are taken now. A job beyond `maxRemembered`
   * is not remembered: the index of waiting jobs lists it by then.
   */
  waitFor(slot: Slot, max: number): Promise<boolean>;
  /** Returns the number of slots that were taken before. A job in `next` is forgotten: the caller wakes a worker. */
  free(slot: Slot): Promise<FreedSlot>;
  /** The taken slots in the group of this slot. An owner with few slots has one group. */
  list(slot: Slot): Promise<Slot[]>;
  /** Whether all slots in the group of this slot are taken. May be stale. */
  isFull(slot: Slot, max: number): Promise<boolean>;
  /** The ids of the jobs that have a slot: all processing jobs of the owner, and jobs whose slots are void. */
  jobs(ownerId: string): Promise<string[]>;
};

/** Maximum jobs that wait in one item of slots. Bounds its size. */
export const maxRemembered = 20;

/** Maximum slots in one item. A write costs a unit for each kilobyte of its item, which ten slots take. */
const maxSlotsPerGroup = 16;

export function slotGroups(max: number): number {
  return Math.ceil(max / maxSlotsPerGroup);
}

/** The group in which a job takes its slot while there is room. Spreads ids by their last characters, which are random. */
export function homeGroup({ jobId }: Pick<JobRef, 'jobId'>, groups: number): number {
  return [...jobId.slice(-6)].reduce((hash, digit) => (hash * 31 + digit.charCodeAt(0)) % 65_521, 0) % groups;
}
