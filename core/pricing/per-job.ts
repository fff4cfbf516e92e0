import { maxParallelTasks } from '@media-jobs/video/chunking';
import { durations } from '../jobs/durations.ts';
import type { PriceName } from './prices.ts';
import type { Prices } from './region-prices.ts';

/** The prices that a call is charged. DynamoDB charges units instead of calls. */
const pricesOfCall: Readonly<Record<string, readonly PriceName[]>> = {
  'apigateway.Request': ['apiRequest', 'cloudFrontRequest'],
  'lambda.Invoke': ['lambdaRequest'],
  'sts.AssumeRole': [],
  'dynamodb.GetItem': [],
  'dynamodb.PutItem': [],
  'dynamodb.Query': [],
  'dynamodb.UpdateItem': [],
  // AWS does not say of which requests a fair queue has its surcharge: of all.
  'sqs.SendMessage': ['queueRequest', 'messageGroup'],
  'sqs.ReceiveMessage': ['queueRequest', 'messageGroup'],
  'sqs.DeleteMessage': ['queueRequest', 'messageGroup'],
  's3.PutObject': ['filePut'],
  's3.GetObject': ['fileGet'],
  'events.PutEvents': ['busEvent'],
};

/**
 * Cost of calls in dollars, without the duration of the calling functions.
 *
 * @throws Error for a call without a price
 */
export function costOfCalls({ calls, units }: CallCosts, prices: Prices): number {
  return Object.entries(calls).reduce(
    (sum, [name, count]) => sum + count * priceOf(name, prices),
    costOfUnits(units, prices),
  );
}

/** Cost of the calls to one service, such as `sqs`, in dollars; 0 for DynamoDB, which charges units. */
export function costOfCallsTo(service: string, rooms: readonly CallCosts[], prices: Prices): number {
  const made = rooms.flatMap(({ calls }) => Object.entries(calls));
  return made
    .filter(([name]) => name.startsWith(`${service}.`))
    .reduce((sum, [name, count]) => sum + count * priceOf(name, prices), 0);
}

/** Cost of DynamoDB units in dollars. */
export function costOfUnits({ read, table, byState, byName, due, waiting }: Units, prices: Prices): number {
  return read * prices.tableRead + (table + byState + byName + due + waiting) * prices.tableWrite;
}

function priceOf(call: string, prices: Prices): number {
  const names = pricesOfCall[call];
  if (names === undefined) throw new Error(`The call ${call} has no price: add it to pricesOfCall.`);
  return names.reduce((sum, name) => sum + prices[name], 0);
}

/** The DynamoDB units of calls: read units, and write units of the table and of its indexes. */
export type Units = {
  read: number;
  table: number;
  /** Those of `table` in the partition that all jobs of the owner share. */
  owner: number;
  byState: number;
  byName: number;
  due: number;
  waiting: number;
};

export const noUnits: Units = { read: 0, table: 0, owner: 0, byState: 0, byName: 0, due: 0, waiting: 0 };

export function addUnits(a: Units, b: Units): Units {
  const names = Object.keys(noUnits) as (keyof Units)[];
  return Object.fromEntries(names.map((name) => [name, a[name] + b[name]])) as Units;
}

/** The phases of a job in order; a worker sends a heartbeat every two seconds. */
export const jobPhases = ['create', 'work', 'heartbeat', 'deliver', 'read'] as const;

export type JobPhase = (typeof jobPhases)[number];

/** Calls by service and operation, and the DynamoDB units that they consume. */
export type CallCosts = { calls: Record<string, number>; units: Units };

export type JobCalls = Record<JobPhase, CallCosts>;

/**
 * All AWS calls of one job, as `npm run bench -- calls` counts them and a test asserts: a clip of one second, `compress`
 * to mp4, its webhook delivered at the first attempt. One of the write units of the worker is ffmpeg's log, which grows with
 * the number of ffmpeg runs. Each of the three states of a job is an entry of the feed of events. The queries of a creation count the queued jobs of an owner, and a stage of one team makes none.
 */
export const callsOfJob: JobCalls = {
  create: {
    calls: {
      'apigateway.Request': 1,
      'lambda.Invoke': 1,
      'dynamodb.GetItem': 2,
      'dynamodb.Query': 4,
      'dynamodb.PutItem': 2,
      'sqs.SendMessage': 1,
    },
    units: { read: 4, table: 2, owner: 1, byState: 0, byName: 1, due: 1, waiting: 1 },
  },
  work: {
    calls: {
      'sqs.ReceiveMessage': 1,
      'lambda.Invoke': 2,
      'sts.AssumeRole': 1,
      'dynamodb.Query': 2,
      'dynamodb.GetItem': 2,
      'dynamodb.UpdateItem': 2,
      'dynamodb.PutItem': 5,
      's3.PutObject': 1,
      'sqs.SendMessage': 1,
      'sqs.DeleteMessage': 1,
    },
    units: { read: 2.5, table: 8, owner: 3, byState: 1, byName: 0, due: 0, waiting: 1 },
  },
  heartbeat: {
    calls: { 'dynamodb.GetItem': 1, 'dynamodb.PutItem': 1 },
    units: { read: 1, table: 1, owner: 1, byState: 0, byName: 0, due: 0, waiting: 0 },
  },
  deliver: {
    calls: {
      'sqs.ReceiveMessage': 1,
      'lambda.Invoke': 1,
      'dynamodb.GetItem': 4,
      'dynamodb.PutItem': 3,
      'events.PutEvents': 1,
      'sqs.DeleteMessage': 1,
    },
    units: { read: 4, table: 4, owner: 2, byState: 0, byName: 0, due: 1, waiting: 0 },
  },
  read: {
    calls: { 'apigateway.Request': 1, 'lambda.Invoke': 1, 'dynamodb.GetItem': 2 },
    units: { read: 1.5, table: 0, owner: 0, byState: 0, byName: 0, due: 0, waiting: 0 },
  },
};

/** The AWS calls of a download by the URL of a file, as `npm run bench -- download` counts them: a redirect, and its target. */
export const callsOfDownload: CallCosts = {
  calls: { 'apigateway.Request': 1, 'lambda.Invoke': 1, 'dynamodb.GetItem': 1, 's3.GetObject': 1 },
  units: { ...noUnits, read: 1 },
};

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

/** A job that ends so soon after it was created leaves its entry in the index `due` as it is. */
const maxUnmovedSeconds = (durations.resendAfterMs - durations.minDeliveryStartMs) / 1000;

/**
 * DynamoDB units of a job that has workers for `seconds`, chunk tasks left out, and whose webhook succeeds at the first
 * attempt.
 */
export function unitsOfJob(seconds: number, repetitions: Repetitions): Units {
  const { units } = callsOfJob.heartbeat;
  const once = onceAJob(repetitions)
    .map((spent) => spent.units)
    .reduce(addUnits, noUnits);
  // Upper bound of the heartbeats that write.
  const written = Math.floor(Math.min(seconds / progressSeconds, maxChanges + seconds / leaseRenewalSeconds));
  // Renewals and the end of a lease move the entry of the index `due`: a removal and a new entry.
  const moves = Math.floor(seconds / leaseRenewalSeconds) + (seconds > maxUnmovedSeconds ? 1 : 0);
  return addUnits(once, {
    read: (seconds / heartbeatSeconds) * units.read,
    table: written * units.table,
    owner: written * units.owner,
    byState: written * units.byState,
    byName: written * units.byName,
    due: 2 * moves,
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
