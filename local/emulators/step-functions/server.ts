import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { close, listen } from '../../http-server.ts';
import type { StagePlan } from '../../template/stage-plan.ts';
import type { Emulator } from '../emulator.ts';
import type { Traffic } from '../traffic.ts';
import { type ExecutionStore, openExecutionStore } from './execution-store.ts';
import { type Interpreter, interpreter } from './interpreter.ts';
import { answerOf, type Machine, type Running } from './operations.ts';
import type { Work } from './tasks.ts';

/** The Step Functions endpoint, which takes its state machines once they are known. */
export type StepFunctions = Emulator & { serve(machines: StagePlan['stateMachines'], work: Work): void };

/**
 * StartExecution, StopExecution and DescribeExecution over the AWS JSON 1.0 protocol. The names and inputs of
 * executions are kept under `directory`.
 */
export async function startStepFunctions(directory: string, traffic: Traffic): Promise<StepFunctions> {
  const store: ExecutionStore = openExecutionStore(directory);
  const machines = new Map<string, Machine>();
  const running: Running = new Map();
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const operation = String(request.headers['x-amz-target']).replace('AWSStepFunctions.', '');
    const { status, body } = answerOf(operation, await text(request), { store, machines, running });
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body));
  };
  // A sandbox may be killed in the middle of its request.
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  traffic.watch('sfn', server);
  const port = await listen(server);
  return {
    endpoint: `http://127.0.0.1:${port}`,
    serve(plans, work) {
      for (const { arn, name, definition } of plans) {
        const runs: Interpreter = interpreter(name, definition, work);
        machines.set(arn, { name, arn, interpreter: runs });
      }
    },
    async stop() {
      await close(server);
      for (const { abort } of running.values()) abort();
      await Promise.all([...running.values()].map(({ ended }) => ended));
      store.close();
    },
  };
}
