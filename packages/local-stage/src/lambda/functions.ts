import { availableParallelism } from 'node:os';
import pLimit from 'p-limit';
import { functionNameOf } from '../aws-names.ts';
import type { FunctionPlan } from '../template/stage-plan.ts';
import { type FunctionPool, type FunctionPoolOptions, functionPool, type InvokeOptions } from './function-pool.ts';
import { InvocationError } from './invocation-error.ts';
import type { InvocationResult } from './runtime-api.ts';

export type Functions = {
  /**
   * @throws InvocationError above the concurrency of the function or of the account, for an event above 6 MB, at the end of
   *   a recursive loop, or while the image of the function is pending
   */
  invoke(nameOrArn: string, event: unknown, options?: InvokeOptions): Promise<InvocationResult>;
  /** Kills the sandboxes of one function, or of all, including busy ones. */
  kill(nameOrArn?: string): Promise<void>;
  /**
   * Rejects the invocations of a function as Lambda does while it prepares the image of a function that was idle for
   * weeks. Ends when the returned function is called.
   */
  makePending(nameOrArn: string): () => void;
  /** Kills every sandbox, and rejects further invocations. */
  stop(): Promise<void>;
};

/** The functions as gateway, queues, schedules and state machines use them. */
export type InvokableFunctions = Pick<Functions, 'invoke'>;

export type FunctionsOptions = Omit<FunctionPoolOptions, 'plan' | 'coldStarts'> & {
  /** Concurrent executions of the account, over all functions. */
  accountConcurrency?: number | undefined;
};

/**
 * Creates a pool for each function. Starts no process yet.
 *
 * @throws Error if the account cannot reserve the concurrency that the functions reserve
 */
export function stageFunctions(plans: readonly FunctionPlan[], options: FunctionsOptions): Functions {
  const concurrency = accountConcurrency(options.accountConcurrency ?? defaultAccountConcurrency, plans);
  const coldStarts = pLimit(availableParallelism());
  const pools = new Map<string, FunctionPool>(
    plans.map((plan) => [plan.name, functionPool({ plan, coldStarts, ...options })]),
  );

  const pending = new Set<string>();

  function findPool(nameOrArn: string): FunctionPool {
    const name = functionNameOf(nameOrArn);
    const pool = pools.get(name);
    if (!pool) {
      throw new Error(`Function ${name} is not in the template. It has: ${[...pools.keys()].join(', ')}.`);
    }
    return pool;
  }

  async function kill(nameOrArn?: string): Promise<void> {
    const killed = nameOrArn === undefined ? [...pools.values()] : [findPool(nameOrArn)];
    await Promise.all(killed.map((pool) => pool.kill()));
  }

  return {
    async invoke(nameOrArn, event, options) {
      const pool = findPool(nameOrArn);
      const name = functionNameOf(nameOrArn);
      if (pending.has(name)) throw imagePending(name);
      const release = concurrency.acquire(name);
      return pool.invoke(event, options).finally(release);
    },
    makePending(nameOrArn) {
      const name = functionNameOf(nameOrArn);
      pending.add(name);
      return () => pending.delete(name);
    },
    kill,
    async stop() {
      await Promise.all([...pools.values()].map((pool) => pool.stop()));
    },
  };
}

function imagePending(name: string): InvocationError {
  return new InvocationError(
    'CodeArtifactUserPendingException',
    `Lambda is optimizing the image of the function ${name}.`,
  );
}

type AccountConcurrency = {
  /**
   * Starts an execution. Call the returned function when it ends.
   *
   * @throws InvocationError `TooManyRequestsException` without a free execution
   */
  acquire(functionName: string): () => void;
};

/** Default quota of an AWS account. A new account has 10 until AWS raises it. */
const defaultAccountConcurrency = 1000;

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
function accountConcurrency(quota: number, functions: readonly Concurrency[]): AccountConcurrency {
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
