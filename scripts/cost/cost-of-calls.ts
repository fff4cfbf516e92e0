import type { Spent } from '../../bench/harness/job-calls.ts';
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
export function costOfCalls({ calls, units }: Spent): number {
  const { read, table, byState, due } = units;
  const ofTable = read * prices.tableRead.dollars + (table + byState + due) * prices.tableWrite.dollars;
  return Object.entries(calls).reduce((sum, [name, count]) => {
    const dollars = dollarsOfCall[name];
    if (dollars === undefined) throw new Error(`Nobody has said what ${name} costs.`);
    return sum + count * dollars;
  }, ofTable);
}
