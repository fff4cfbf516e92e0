import * as z from 'zod';
import type { RunTask } from '../../ecs/tasks.ts';
import type { InvokableFunctions } from '../../lambda/functions.ts';
import { AccessDeniedError } from '../../permissions/guard-invocations.ts';
import { DefinitionError, type StateDefinition } from './definition.ts';
import { runEcsTask } from './run-ecs-task.ts';
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
