import { maxParallelTasks } from '@media-jobs/video/chunking';
import { durations } from '../jobs/durations.ts';
import { addUnits, type CallCosts, callsOfJob, noUnits, type Units } from './cost-of-calls.ts';

const heartbeatSeconds = durations.heartbeatMs / 1000;
const progressSeconds = durations.progressMs / 1000;
/** Upper bound of changed percents and stages per job. Otherwise a heartbeat writes only after half of the lease. */
const maxChanges = 105;
const leaseRenewalSeconds = durations.leaseMs / 2 / 1000;

/** Seconds of a function with ffmpeg besides its work: start, probe, verification, record. Assumed. */
export const overheadSeconds = 3;

/**
 * Seconds from the claim of a job to its end, besides its encoding and its transfers. The start of the function is before the
 * claim, and no part of the job's cost. Assumed of Lambda.
 */
export const claimedSeconds = 0.7;

/** Seconds of a function after which it ends its work, before Lambda does. */
const reservedSeconds = 30;

/** Wall seconds that a function has for a job behind its start. */
export function functionSeconds({ timeoutSeconds }: { timeoutSeconds: number }): number {
  return timeoutSeconds - reservedSeconds - overheadSeconds;
}

/** Duration of an API function and of deliver-webhook. Assumed. */
export const apiSeconds = 0.1;
export const deliverySeconds = 1;

/** Duration of open-job, which gives a worker its job. Assumed. */
export const openSeconds = 0.1;

/** The requests of a job: the submission and its owner's reads. */
export function requestsOfJob(reads: number): CallCosts[] {
  return [callsOfJob.create, ...Array.from({ length: reads }, () => callsOfJob.read)];
}

/** How often a job is read, and how often a worker has claimed it. */
type Repetitions = { reads: number; attempts: number };

/** All calls of a job except heartbeats, which depend on its duration. */
export function onceAJob({ reads, attempts }: Repetitions): CallCosts[] {
  return [...requestsOfJob(reads), ...Array.from({ length: attempts }, () => callsOfJob.work), callsOfJob.deliver];
}

/** Upper bound of heartbeats that write, for a worker that runs `seconds`. */
function heartbeatsWritten(seconds: number): number {
  return Math.floor(Math.min(seconds / progressSeconds, maxChanges + seconds / leaseRenewalSeconds));
}

/** A job that ends so soon after it was created leaves its entry in the index `due` as it is. */
const maxUnmovedSeconds = (durations.resendAfterMs - durations.minDeliveryStartMs) / 1000;

/** Units of the index `due` for the renewals and the end of a lease: a moved entry is a removal and a new entry. */
function movedEntries(seconds: number): number {
  return 2 * (Math.floor(seconds / leaseRenewalSeconds) + (seconds > maxUnmovedSeconds ? 1 : 0));
}

/**
 * DynamoDB units of a job that has workers for `seconds`, chunk tasks left out, and whose webhook succeeds at the first
 * attempt.
 */
export function unitsOfJob(seconds: number, repetitions: Repetitions): Units {
  const { units } = callsOfJob.heartbeat;
  const once = onceAJob(repetitions)
    .map((spent) => spent.units)
    .reduce(addUnits, noUnits);
  const written = heartbeatsWritten(seconds);
  return addUnits(once, {
    read: (seconds / heartbeatSeconds) * units.read,
    table: written * units.table,
    owner: written * units.owner,
    byState: written * units.byState,
    byName: written * units.byName,
    due: movedEntries(seconds),
    waiting: written * units.waiting,
  });
}

/** A task writes each of its percents once, at a heartbeat. */
const maxPercents = 100;

/** Bytes of the record of a job, of the percent and the time of each of its tasks, and of the last record of each that runs. */
const jobBytes = 600;
const taskBytes = 15;
const beatBytes = 6;

/** Writes of an execution: one names it, one delegates the job to it. These and the job's end move its entry in the index `due`. */
const executionWrites = 2;
const executionMoves = 3;

/** Upper bound of the size of a record with so many tasks. */
export function recordBytes(tasks: number): number {
  return jobBytes + taskBytes * tasks + beatBytes * Math.min(tasks, maxParallelTasks);
}

/** Upper bound of the writes of tasks that run `seconds` together: of each its start, its heartbeats and its end. */
export function taskWrites(tasks: number, seconds: number): number {
  const heartbeats = (1000 * seconds) / durations.heartbeatMs;
  const needed = maxPercents * tasks + (1000 * seconds) / durations.taskProgressMs;
  return Math.min(heartbeats, needed) + 2 * tasks;
}

/**
 * DynamoDB units of the executions of a job and of their tasks. Each write and read of a task counts the whole record, which
 * has the progress of all tasks. Progress moves no entry of an index.
 */
export function unitsOfTasks({
  tasks,
  taskSeconds = 0,
  executions,
}: {
  tasks: number;
  taskSeconds?: number;
  executions: number;
}): Units {
  const bytes = recordBytes(tasks);
  const progress = taskSeconds === 0 ? 0 : taskWrites(tasks, taskSeconds) * Math.ceil(bytes / 1024);
  const written = progress + executions * executionWrites;
  return {
    ...noUnits,
    read: ((1000 * taskSeconds) / durations.heartbeatMs) * Math.ceil(bytes / 4096),
    table: written,
    owner: written,
    due: 2 * executions * executionMoves,
  };
}
