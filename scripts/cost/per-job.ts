import type { CallCosts } from '../../bench/harness/calls/job-calls.ts';
import { addUnits, noUnits, type Units } from '../../bench/harness/calls/table-units.ts';
import { durations } from '../../core/jobs/durations.ts';
import { callsOfJob } from './calls-of-job.ts';

const heartbeatSeconds = durations.heartbeatMs / 1000;
/** A heartbeat writes what has changed: a percent or a stage, and else the lease once half of it is over. */
const maxChanges = 105;
const leaseRenewalSeconds = durations.leaseMs / 2 / 1000;

/** Reads of one job by its owner, beside the request that submits it. */
export const readsOfJob = 2;

/** Seconds of a function that answers a request, and of the one that delivers a webhook. Assumed. */
export const apiSeconds = 0.1;
export const deliverySeconds = 1;

/** The requests of a job: the submission and its owner's reads. */
export const requestsOfJob: readonly CallCosts[] = [
  callsOfJob.create,
  ...Array.from({ length: readsOfJob }, () => callsOfJob.read),
];

/** All that a job does, but for its heartbeats: those come by the second. */
export const onceAJob: readonly CallCosts[] = [...requestsOfJob, callsOfJob.work, callsOfJob.deliver];

/** How many of a worker's heartbeats write, at most, in so many seconds. */
export function heartbeatsWritten(seconds: number): number {
  return Math.min(seconds / heartbeatSeconds, maxChanges + seconds / leaseRenewalSeconds);
}

/** What a job takes of DynamoDB that has a worker for so many seconds: its first attempt succeeds, and its webhook's. */
export function unitsOfJob(seconds: number): Units {
  const { units } = callsOfJob.heartbeat;
  const once = onceAJob.map((spent) => spent.units).reduce(addUnits, noUnits);
  const written = heartbeatsWritten(seconds);
  return addUnits(once, {
    read: (seconds / heartbeatSeconds) * units.read,
    table: written * units.table,
    byState: written * units.byState,
    due: written * units.due,
  });
}

/** Seconds of all functions together. */
export function functionSeconds(seconds: number): number {
  return seconds + requestsOfJob.length * apiSeconds + deliverySeconds;
}

/** How often a job makes a call, whatever its room, its reads included. */
export function callsPerJob(name: string): number {
  return onceAJob.reduce((sum, { calls }) => sum + (calls[name] ?? 0), 0);
}
