import { addUnits, noUnits, type Units } from '../../bench/harness/table-units.ts';
import { callsOfJob } from '../cost/calls-of-job.ts';

const heartbeatSeconds = 2;
/** A heartbeat writes what has changed: a percent or a stage, and else the lease once half of it is over. */
const mostChanges = 105;
const leaseRenewalSeconds = 20;

/** Reads of one job by its owner, beside the request that submits it. */
export const readsOfJob = 2;

/** Seconds of the functions that answer a request, and of the one that delivers a webhook. Assumed. */
const apiSeconds = 0.1;
const deliverySeconds = 1;

/** How many of a worker's heartbeats write, at most, in so many seconds. */
export function heartbeatsWritten(seconds: number): number {
  return Math.min(seconds / heartbeatSeconds, mostChanges + seconds / leaseRenewalSeconds);
}

/** What a job takes of DynamoDB that has a worker for so many seconds: its first attempt succeeds, and its webhook's. */
export function unitsOfJob(seconds: number): Units {
  const { create, work, heartbeat, deliver, read } = callsOfJob;
  const once = [create, work, deliver].map(({ units }) => units).reduce(addUnits, noUnits);
  const written = heartbeatsWritten(seconds);
  return {
    read: once.read + readsOfJob * read.units.read + seconds / heartbeatSeconds,
    table: once.table + written * heartbeat.units.table,
    byState: once.byState,
    due: once.due + written * heartbeat.units.due,
  };
}

/** Seconds of all functions together. */
export function functionSeconds(seconds: number): number {
  return seconds + (1 + readsOfJob) * apiSeconds + deliverySeconds;
}

/** How often a job makes a call, whatever its room, its reads included. */
export function callsPerJob(name: string): number {
  const { create, work, deliver, read } = callsOfJob;
  const once = [create, work, deliver].reduce((sum, { calls }) => sum + (calls[name] ?? 0), 0);
  return once + readsOfJob * (read.calls[name] ?? 0);
}
