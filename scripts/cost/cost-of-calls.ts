import type { CallCosts } from '../../bench/harness/calls/job-calls.ts';
import type { Units } from '../../bench/harness/calls/table-units.ts';
import { prices } from './prices.ts';

/** Dollars of one call; DynamoDB's are charged by their units, and an execution by its transitions. */
const dollarsOfCall: Readonly<Record<string, number>> = {
  'apigateway.Request': prices.apiRequest.dollars + prices.cloudFrontRequest.dollars,
  'lambda.Invoke': prices.lambdaRequest.dollars,
  'dynamodb.GetItem': 0,
  'dynamodb.PutItem': 0,
  'sqs.SendMessage': prices.queueRequest.dollars,
  'sqs.ReceiveMessage': prices.queueRequest.dollars,
  'sqs.DeleteMessage': prices.queueRequest.dollars,
  's3.PutObject': prices.filePut.dollars,
  'sfn.StartExecution': 0,
  'sfn.Transition': prices.transition.dollars,
  'events.PutEvents': prices.busEvent.dollars,
};

/**
 * What calls cost, in dollars; the time of the functions that make them is not in it.
 *
 * @throws Error for a call that has no price yet
 */
export function costOfCalls({ calls, units }: CallCosts): number {
  return Object.entries(calls).reduce((sum, [name, count]) => sum + costOf(name, count), costOfUnits(units));
}

/** What the calls to one service cost, such as `sqs`, in dollars; those to DynamoDB cost their units. */
export function costOfCallsTo(service: string, rooms: readonly CallCosts[]): number {
  const made = rooms.flatMap(({ calls }) => Object.entries(calls));
  return made
    .filter(([name]) => name.startsWith(`${service}.`))
    .reduce((sum, [name, count]) => sum + costOf(name, count), 0);
}

/** What units of DynamoDB cost, in dollars. */
export function costOfUnits({ read, table, byState, due }: Units): number {
  return read * prices.tableRead.dollars + (table + byState + due) * prices.tableWrite.dollars;
}

function costOf(name: string, count: number): number {
  const dollars = dollarsOfCall[name];
  if (dollars === undefined) throw new Error(`Nobody has said what ${name} costs.`);
  return count * dollars;
}
