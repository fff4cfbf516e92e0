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
  return {
    read: a.read + b.read,
    table: a.table + b.table,
    owner: a.owner + b.owner,
    byState: a.byState + b.byState,
    byName: a.byName + b.byName,
    due: a.due + b.due,
    waiting: a.waiting + b.waiting,
  };
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
