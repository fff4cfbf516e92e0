import type { CallCosts, Units } from './call-costs.ts';
import { prices } from './prices.ts';

/** Dollars per call. DynamoDB charges units instead of calls. */
const dollarsOfCall: Readonly<Record<string, number>> = {
  'apigateway.Request': prices.apiRequest.dollars + prices.cloudFrontRequest.dollars,
  'lambda.Invoke': prices.lambdaRequest.dollars,
  'dynamodb.GetItem': 0,
  'dynamodb.PutItem': 0,
  'dynamodb.Query': 0,
  'dynamodb.UpdateItem': 0,
  'sqs.SendMessage': prices.queueRequest.dollars,
  'sqs.ReceiveMessage': prices.queueRequest.dollars,
  'sqs.DeleteMessage': prices.queueRequest.dollars,
  's3.PutObject': prices.filePut.dollars,
  'events.PutEvents': prices.busEvent.dollars,
};

/**
 * Cost of calls in dollars, without the duration of the calling functions.
 *
 * @throws Error for a call without a price
 */
export function costOfCalls({ calls, units }: CallCosts): number {
  return Object.entries(calls).reduce((sum, [name, count]) => sum + costOf(name, count), costOfUnits(units));
}

/** Cost of the calls to one service, such as `sqs`, in dollars; 0 for DynamoDB, which charges units. */
export function costOfCallsTo(service: string, rooms: readonly CallCosts[]): number {
  const made = rooms.flatMap(({ calls }) => Object.entries(calls));
  return made
    .filter(([name]) => name.startsWith(`${service}.`))
    .reduce((sum, [name, count]) => sum + costOf(name, count), 0);
}

/** Cost of DynamoDB units in dollars. */
export function costOfUnits({ read, table, byState, due, waiting }: Units): number {
  return read * prices.tableRead.dollars + (table + byState + due + waiting) * prices.tableWrite.dollars;
}

function costOf(name: string, count: number): number {
  const dollars = dollarsOfCall[name];
  if (dollars === undefined) throw new Error(`The call ${name} has no price: add it to dollarsOfCall.`);
  return count * dollars;
}
