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
