import * as z from 'zod';
import type { RunTask } from '../../ecs/tasks.ts';
import type { InvokableFunctions } from '../../lambda/functions.ts';
import { AccessDeniedError } from '../../permissions/guard-invocations.ts';
import { DefinitionError, type StateDefinition } from './definition.ts';
import { type SendAndWaitDeps, sendAndWait } from './send-and-wait.ts';
import { type MachineRun, parseParameters, type StateHandler, TaskError } from './state-handler.ts';

const invokeParameters = z.strictObject({
  FunctionName: z.string(),
  Payload: z.unknown().default({}),
  InvocationType: z.literal('RequestResponse').optional(),
});

export type TaskPorts = SendAndWaitDeps & { functions: InvokableFunctions; runTask: RunTask };

/**
 * Creates the handler of a Task state.
 *
 * @throws DefinitionError for a resource that does not run here
 */
export function taskHandler(
  name: string,
  { Resource = '', TimeoutSeconds }: StateDefinition,
  { functions, send, tokens, runTask }: TaskPorts,
): StateHandler {
  const timeoutSeconds = TimeoutSeconds === undefined ? undefined : Number(TimeoutSeconds);
  const invoke = functionInvoker(functions, timeoutSeconds);
  if (Resource === 'arn:aws:states:::lambda:invoke') {
    return async (input, run) => {
      const { FunctionName, Payload } = parseParameters(invokeParameters, input);
      return invoke(FunctionName, Payload, run);
    };
  }
  if (/^arn:[^:]+:lambda:[^:]*:[^:]*:function:/.test(Resource)) {
    return async (input, run) => (await invoke(Resource, input, run)).Payload;
  }
  if (Resource === 'arn:aws:states:::sqs:sendMessage.waitForTaskToken') {
    if (TimeoutSeconds !== undefined) throw new DefinitionError(`State ${name}: no time-out of a token here`);
    return sendAndWait({ send, tokens });
  }
  if (Resource === 'arn:aws:states:::ecs:runTask.sync') return runEcsTask(runTask, timeoutSeconds);
  throw new DefinitionError(`State ${name}: the resource ${Resource || '(none)'} does not run here`);
}

/** @param timeoutSeconds counted from the start of the function: on AWS an invocation never waits for a sandbox */
function functionInvoker(functions: InvokableFunctions, timeoutSeconds: number | undefined) {
  return async (nameOrArn: string, event: unknown, { signal }: MachineRun) => {
    const timeout = taskTimeout(timeoutSeconds);
    const invocation = functions.invoke(nameOrArn, event, { signal, onStart: timeout.start });
    const toTaskError = (error: Error) => {
      const name = error instanceof AccessDeniedError ? 'AWSLambdaException' : error.name;
      throw new TaskError(`Lambda.${name}`, error.message);
    };
    const result = await Promise.race([invocation.catch(toTaskError), timeout.expired]).finally(timeout.clear);
    if (!result.ok) throw new TaskError(result.error.errorType, result.error);
    return { ExecutedVersion: '$LATEST', Payload: JSON.parse(result.payload) as unknown, StatusCode: 200 };
  };
}

/** A timeout that runs from `start`. `expired` only ever rejects. Without seconds it never expires. */
function taskTimeout(seconds: number | undefined) {
  const { promise: expired, reject } = Promise.withResolvers<never>();
  let timer: NodeJS.Timeout | undefined;
  return {
    start() {
      if (seconds === undefined) return;
      timer = setTimeout(() => reject(new TaskError('States.Timeout', 'The task timed out')), seconds * 1000);
    },
    clear: () => clearTimeout(timer),
    expired,
  };
}

const network = z.strictObject({
  AwsvpcConfiguration: z.strictObject({
    Subnets: z.array(z.string()).min(1),
    SecurityGroups: z.array(z.string()),
    AssignPublicIp: z.enum(['ENABLED', 'DISABLED']),
  }),
});

const runParameters = z.strictObject({
  Cluster: z.string(),
  TaskDefinition: z.string(),
  LaunchType: z.literal('FARGATE').optional(),
  CapacityProviderStrategy: z.array(z.unknown()).optional(),
  NetworkConfiguration: network,
  Overrides: z.strictObject({
    Cpu: z.string().optional(),
    Memory: z.coerce.number().int().optional(),
    EphemeralStorage: z.strictObject({ SizeInGiB: z.int().min(21).max(200) }).optional(),
    ContainerOverrides: z.array(
      z.strictObject({
        Name: z.string(),
        Environment: z.array(z.strictObject({ Name: z.string(), Value: z.string() })),
      }),
    ),
  }),
});

/**
 * The handler of `ecs:runTask.sync`: runs a task and waits for its end. A container that exits with another code than 0
 * fails the state. The task is stopped with the execution, and after the time-out of the state.
 */
function runEcsTask(run: RunTask, timeoutSeconds: number | undefined): StateHandler {
  return async (input, { signal }) => {
    const { Cluster: clusterArn, TaskDefinition: taskDefinition, Overrides } = parseParameters(runParameters, input);
    const overrides = Overrides.ContainerOverrides.map(({ Name, Environment }) => ({
      containerName: Name,
      environment: Object.fromEntries(Environment.map((variable) => [variable.Name, variable.Value])),
    }));
    const timeout = timeoutSeconds === undefined ? undefined : AbortSignal.timeout(timeoutSeconds * 1000);
    const stops = AbortSignal.any([signal, ...(timeout === undefined ? [] : [timeout])]);
    const { Memory: memoryMb, EphemeralStorage: storage } = Overrides;
    const storageMb = storage && storage.SizeInGiB * 1024;
    const size = memoryMb === undefined && storage === undefined ? {} : { size: { memoryMb, storageMb } };
    const stopped = await run({ clusterArn, taskDefinition, overrides, ...size }, stops).catch((error: Error) => {
      const name = error instanceof AccessDeniedError ? 'AmazonECSException' : 'SdkClientException';
      throw new TaskError(`ECS.${name}`, error.message);
    });
    const { exitCode, reason } = stopped;
    if (timeout?.aborted) throw new TaskError('States.Timeout', 'The task timed out');
    const description = {
      Containers: [{ ExitCode: exitCode }],
      LastStatus: 'STOPPED',
      StoppedReason: reason,
    };
    if (exitCode !== 0) throw new TaskError('States.TaskFailed', description);
    return description;
  };
}
