import {
  DescribeExecutionCommand,
  type DescribeExecutionCommandOutput,
  SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn';
import { afterUse } from '@media-jobs/testing/after-use';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { vi } from 'vitest';
import { clientOptions } from '../../src/aws-names.ts';
import type { RunTask } from '../../src/ecs/tasks.ts';
import { startStepFunctions } from '../../src/emulators/step-functions/server.ts';
import { emulatorTraffic } from '../../src/emulators/traffic.ts';
import type { InvokeOptions } from '../../src/lambda/function-pool.ts';
import type { InvocationResult } from '../../src/lambda/runtime-api.ts';
import type { QueueMessage } from '../../src/permissions/guard-invocations.ts';

export const stateMachineArn = 'arn:aws:states:us-east-1:000000000000:stateMachine:machine';
export const functionArn = 'arn:aws:lambda:us-east-1:000000000000:function:worker';

type Invoke = (name: string, event: unknown, options?: InvokeOptions) => Promise<InvocationResult>;
/** For a state machine that runs no Fargate tasks. */
export const noTasks: RunTask = () => Promise.reject(new Error('The test gives no tasks'));

type Options = {
  directory?: string;
  invoke?: Invoke;
  send?: (message: QueueMessage) => Promise<void>;
  runTask?: RunTask;
};

/** A state machine in the emulator. Stopped after the test or by `stop`; `invoke` replaces the functions. */
export async function aStateMachine(
  definition: object,
  { directory, invoke = neverInvoked, send = async () => undefined, runTask = noTasks }: Options = {},
) {
  const emulator = await startStepFunctions(directory ?? (await aTemporaryFolder()), emulatorTraffic());
  const stop = afterUse(emulator.stop);
  const functions = { invoke };
  const plan = { name: 'machine', arn: stateMachineArn, definition: JSON.stringify(definition) };
  emulator.serve([plan], () => ({ functions, send, runTask }));
  const client = new SFNClient(clientOptions(emulator.endpoint));
  const start = (input: object, name?: string) =>
    client.send(
      new StartExecutionCommand({ stateMachineArn, input: JSON.stringify(input), ...(name ? { name } : {}) }),
    );
  const describeOnce = (executionArn: string | undefined) =>
    client.send(new DescribeExecutionCommand({ executionArn }));
  const ended = async (executionArn: string | undefined): Promise<DescribeExecutionCommandOutput> =>
    vi.waitUntil(
      async () => {
        const execution = await describeOnce(executionArn);
        return execution.status === 'RUNNING' ? undefined : execution;
      },
      { timeout: 20_000, interval: 5 },
    );
  return { client, stop, start, ended, describeOnce };
}

async function neverInvoked(): Promise<InvocationResult> {
  throw new Error('no function is invoked here');
}

/** A task that invokes the function with the input of the state. */
export const invokes = (more: object = {}) => ({
  Type: 'Task',
  Resource: 'arn:aws:states:::lambda:invoke',
  Parameters: { FunctionName: functionArn, 'Payload.$': '$' },
  End: true,
  ...more,
});
export const oneState = (state: object) => ({ StartAt: 'Only', States: { Only: state } });
export const hangs = () => new Promise<InvocationResult>(() => {});
export const returns = (payload: unknown) => async (): Promise<InvocationResult> => ({
  ok: true,
  payload: JSON.stringify(payload),
});
