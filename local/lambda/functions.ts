import { functionNameOf } from '../aws-names.ts';
import type { FunctionPlan } from '../template/stage-plan.ts';
import {
  type FunctionPool,
  type FunctionPoolOptions,
  functionPool,
  type InvokeOptions,
} from './function-pool.ts';
import type { InvocationResult } from './runtime-api.ts';

/** The functions of the stage, by name or ARN. */
export type Functions = {
  /** @throws TooManyRequestsError above the reserved concurrency */
  invoke(nameOrArn: string, event: unknown, options?: InvokeOptions): Promise<InvocationResult>;
  /** Kills the sandboxes of one function, or of all, including busy ones. */
  kill(nameOrArn?: string): Promise<void>;
  /** Kills every sandbox, and rejects further invocations. */
  stop(): Promise<void>;
};

/** Creates a pool for each function. Starts no process yet. */
export function stageFunctions(
  plans: readonly FunctionPlan[],
  options: Omit<FunctionPoolOptions, 'plan'>,
): Functions {
  const pools = new Map<string, FunctionPool>(
    plans.map((plan) => [plan.name, functionPool({ plan, ...options })]),
  );

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
    invoke: async (nameOrArn, event, options) => findPool(nameOrArn).invoke(event, options),
    kill,
    async stop() {
      await Promise.all([...pools.values()].map((pool) => pool.stop()));
    },
  };
}
