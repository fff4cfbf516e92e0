import { availableParallelism } from 'node:os';
import pLimit from 'p-limit';
import { functionNameOf } from '../aws-names.ts';
import type { FunctionPlan } from '../template/stage-plan.ts';
import { accountConcurrency, defaultAccountConcurrency } from './account-concurrency.ts';
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
