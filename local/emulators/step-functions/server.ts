import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { closeServer, listenOnLoopback } from '../../http-server.ts';
import type { StagePlan } from '../../template/stage-plan.ts';
import type { Emulator } from '../emulator.ts';
import type { Traffic } from '../traffic.ts';
import { type ExecutionStore, openExecutionStore } from './execution-store.ts';
import { createInterpreter, type Interpreter } from './interpreter.ts';
import { handleOperation, type Machine, type RunningExecutions } from './operations.ts';
import type { TaskDeps } from './task-handler.ts';

/** The Step Functions endpoint, which takes its state machines once they are known. */
export type StepFunctions = Emulator & { serve(machines: StagePlan['stateMachines'], work: TaskDeps): void };

/**
 * StartExecution, StopExecution and DescribeExecution over the AWS JSON 1.0 protocol. The names and inputs of
 * executions are kept under `directory`.
 */
export async function startStepFunctions(directory: string, traffic: Traffic): Promise<StepFunctions> {
  const store: ExecutionStore = openExecutionStore(directory);
  const machines = new Map<string, Machine>();
  const running: RunningExecutions = new Map();
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const operation = String(request.headers['x-amz-target']).replace('AWSStepFunctions.', '');
    const { status, body } = handleOperation(operation, await text(request), { store, machines, running });
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body));
  };
  // A sandbox may be killed in the middle of its request.
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  traffic.watch('sfn', server);
  const port = await listenOnLoopback(server);
  return {
    endpoint: `http://127.0.0.1:${port}`,
    serve(plans, work) {
      for (const { arn, name, definition } of plans) {
        const runs: Interpreter = createInterpreter(name, definition, work);
        machines.set(arn, { name, arn, interpreter: runs });
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
