import { type PermissionGuard, permissionGuard } from '../../permissions/guard.ts';
import type { StateMachinePlan } from '../../template/stage-plan.ts';
import type { Emulator } from '../emulator.ts';
import { startJsonEndpoint } from '../start-endpoint.ts';
import type { Traffic } from '../traffic.ts';
import { openExecutionStore } from './execution-store.ts';
import { createInterpreter } from './interpreter.ts';
import { handleOperation, type Machine, type RunningExecutions } from './operations.ts';
import type { TaskPorts } from './task-handler.ts';
import { taskTokens } from './task-tokens.ts';

type MachinePlan = Pick<StateMachinePlan, 'arn' | 'name' | 'definition'>;

/** The Step Functions endpoint. State machines are added with `serve`, once their functions exist. */
export type StepFunctions = Emulator & {
  /** @param depsOf dependencies of the tasks of a machine: each machine has its own role */
  serve<Plan extends MachinePlan>(plans: readonly Plan[], depsOf: (plan: Plan) => Omit<TaskPorts, 'tokens'>): void;
};

/**
 * Starts an endpoint for executions and task tokens (AWS JSON 1.0 protocol). Executions are
 * stored in `directory`.
 */
export async function startStepFunctions(
  directory: string,
  traffic: Traffic,
  guard: PermissionGuard = permissionGuard(),
): Promise<StepFunctions> {
  const store = openExecutionStore(directory);
  const machines = new Map<string, Machine>();
  const running: RunningExecutions = new Map();
  const tokens = taskTokens();
  const state = { store, machines, running, tokens };
  const emulator = await startJsonEndpoint(
    { service: 'sfn', traffic, guard },
    { version: '1.0', handle: (operation, body) => handleOperation(operation, body, state) },
  );
  return {
    endpoint: emulator.endpoint,
    serve(plans, depsOf) {
      for (const plan of plans) {
        const { arn, name, definition } = plan;
        const deps = { ...depsOf(plan), tokens };
        machines.set(arn, { name, arn, interpreter: createInterpreter(name, definition, deps) });
      }
    },
    async stop() {
      await emulator.stop();
      for (const { abort } of running.values()) abort();
      await Promise.all([...running.values()].map(({ ended }) => ended));
      store.close();
    },
  };
}
