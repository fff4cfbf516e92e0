import type { FunctionPlan } from '../template/stage-plan.ts';
import { InvocationError } from './invocation-error.ts';

export type AccountConcurrency = {
  /**
   * Starts an execution. Call the returned function when it ends.
   *
   * @throws InvocationError `TooManyRequestsException` without a free execution
   */
  acquire(functionName: string): () => void;
};

/** Default quota of an AWS account. A new account has 10 until AWS raises it. */
export const defaultAccountConcurrency = 1000;

/** AWS keeps this concurrency unreserved, or the quota of the account if that is lower. */
const minUnreservedConcurrency = 100;

type Concurrency = Pick<FunctionPlan, 'name' | 'reservedConcurrency'>;

/**
 * Divides the concurrency of an account between its functions as Lambda does: a function with reserved concurrency has
 * its own part, the others share the rest (Lambda Developer Guide, "Configuring reserved concurrency").
 *
 * @param quota concurrent executions of the account
 * @throws Error if AWS would not deploy the reserved concurrency in this account
 */
export function accountConcurrency(quota: number, functions: readonly Concurrency[]): AccountConcurrency {
  if (!Number.isInteger(quota) || quota < 1) {
    throw new Error(`accountConcurrency is ${quota}; expected a whole number of at least 1.`);
  }
  const minUnreserved = Math.min(quota, minUnreservedConcurrency);
  const reserved = new Map<string, number>();
  let unreserved = quota;
  for (const { name, reservedConcurrency } of functions) {
    if (reservedConcurrency === undefined) continue;
    reserved.set(name, reservedConcurrency);
    unreserved -= reservedConcurrency;
    if (unreserved >= minUnreserved) continue;
    throw new Error(
      `Specified ReservedConcurrentExecutions for function ${name} decreases account's ` +
        `UnreservedConcurrentExecution below its minimum value of [${minUnreserved}]. The account has ${quota}.`,
    );
  }
  const running = new Map<string, number>();
  return {
    acquire(functionName) {
      const part = reserved.has(functionName) ? functionName : '';
      const count = running.get(part) ?? 0;
      const max = reserved.get(functionName) ?? unreserved;
      if (count >= max) throw new InvocationError('TooManyRequestsException', 'Rate Exceeded.');
      running.set(part, count + 1);
      return () => running.set(part, (running.get(part) ?? 0) - 1);
    },
  };
}
