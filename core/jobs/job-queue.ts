import type { ConcurrencyLimits } from '../concurrency-limit.ts';
import type { TranscodeQueue } from './ports.ts';
import type { RunningSlots } from './slots.ts';

/** The queue of jobs, and what limits how many of them run at the same time. */
export type JobQueue = TranscodeQueue & {
  /** The running jobs of each owner. */
  running: RunningSlots;
  /** The running long jobs of all owners. */
  long: ConcurrencyLimits;
  /** Running jobs of one owner at most. */
  maxRunningJobs: number;
  /** The jobs that the stage processes at the same time, of all owners. */
  workers: number;
};
