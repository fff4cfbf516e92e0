import type { CallCosts, Units } from './call-costs.ts';
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
