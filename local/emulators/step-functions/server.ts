import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { closeServer } from '../../http-server.ts';
import { serveOnLoopback } from '../../own-requests.ts';
import { type PermissionGuard, permissionGuard } from '../../permissions/guard.ts';
import type { StateMachinePlan } from '../../template/stage-plan.ts';
import type { Emulator } from '../emulator.ts';
import type { Traffic } from '../traffic.ts';
import { openExecutionStore } from './execution-store.ts';
import { createInterpreter } from './interpreter.ts';
import { handleOperation, type Machine, type RunningExecutions } from './operations.ts';
import type { TaskDeps } from './task-handler.ts';
import { taskTokens } from './task-tokens.ts';

type MachinePlan = Pick<StateMachinePlan, 'arn' | 'name' | 'definition'>;

/** The Step Functions endpoint. State machines are added with `serve`, once their functions exist. */
export type StepFunctions = Emulator & {
  /** @param depsOf dependencies of the tasks of a machine: each machine has its own role */
  serve<Plan extends MachinePlan>(
    plans: readonly Plan[],
    depsOf: (plan: Plan) => Omit<TaskDeps, 'tokens'>,
  ): void;
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
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const operation = String(request.headers['x-amz-target']).replace('AWSStepFunctions.', '');
    const { status, body } = handleOperation(operation, await text(request), {
      store,
      machines,
      running,
      tokens,
    });
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body));
  };
  // Reading fails when a sandbox is killed during its request.
  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy());
  });
  guard.watch('sfn', server);
  traffic.watch('sfn', server);
  const port = await serveOnLoopback(server, { pages: 'none' });
  return {
    endpoint: `http://127.0.0.1:${port}`,
    serve(plans, depsOf) {
      for (const plan of plans) {
        const { arn, name, definition } = plan;
        const deps = { ...depsOf(plan), tokens };
        machines.set(arn, { name, arn, interpreter: createInterpreter(name, definition, deps) });
      }
    },
    async stop() {
      await closeServer(server);
      for (const { abort } of running.values()) abort();
      await Promise.all([...running.values()].map(({ ended }) => ended));
      store.close();
    },
  };
}
