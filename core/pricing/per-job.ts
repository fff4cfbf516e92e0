import { durations } from '../jobs/durations.ts';
import { addUnits, type CallCosts, noUnits, type Units } from './call-costs.ts';
import { callsOfJob } from './calls-of-job.ts';

const heartbeatSeconds = durations.heartbeatMs / 1000;
const progressSeconds = durations.progressMs / 1000;
/** Upper bound of changed percents and stages per job. Otherwise a heartbeat writes only after half of the lease. */
const maxChanges = 105;
const leaseRenewalSeconds = durations.leaseMs / 2 / 1000;

/** Reads of one job by its owner, besides the request that submits it. Assumed. */
export const usualReads = 2;

/** Seconds of a function with ffmpeg besides its work: start, probe, verification, record. Assumed. */
export const overheadSeconds = 3;

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
