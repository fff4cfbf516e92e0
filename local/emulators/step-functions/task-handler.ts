import * as z from 'zod';
import type { EventBuses } from '../../events.ts';
import type { Functions } from '../../lambda/functions.ts';
import type { StateDefinition } from './asl.ts';
import type { MachineRun, StateHandler } from './compile-machine.ts';
import { DefinitionError } from './definition.ts';
import { TaskError } from './task-error.ts';
import { taskTimeout } from './task-timeout.ts';

const invokeParameters = z.strictObject({
  FunctionName: z.string(),
  Payload: z.unknown().default({}),
  InvocationType: z.literal('RequestResponse').optional(),
});

const putEventsParameters = z.strictObject({
  Entries: z
    .array(
      z.strictObject({
        Detail: z.unknown(),
        DetailType: z.string(),
        EventBusName: z.string(),
        Source: z.string(),
      }),
    )
    .min(1)
    .max(10),
});

/** What the tasks of a state machine work with. */
export type TaskDeps = { functions: Functions; events: EventBuses };

/**
 * The handler of one task state.
 *
 * @throws DefinitionError for a resource that does not run here
 */
export function taskHandler(
  name: string,
  { Resource = '', TimeoutSeconds }: StateDefinition,
  work: TaskDeps,
): StateHandler {
  const invoke = invocation(
    work.functions,
    TimeoutSeconds === undefined ? undefined : Number(TimeoutSeconds),
  );
  if (Resource === 'arn:aws:states:::lambda:invoke') {
    return (input, run) => {
      const parameters = invokeParameters.safeParse(input);
      if (!parameters.success) throw new TaskError('States.Runtime', z.prettifyError(parameters.error));
      return invoke(parameters.data.FunctionName, parameters.data.Payload, run);
    };
  }
  if (/^arn:[^:]+:lambda:[^:]*:[^:]*:function:/.test(Resource)) {
    return async (input, run) => (await invoke(Resource, input, run)).Payload;
  }
  if (Resource === 'arn:aws:states:::events:putEvents') return (input) => putEvents(input, work.events);
  throw new DefinitionError(`State ${name}: the resource ${Resource || '(none)'} does not run here`);
}

/** @param timeoutSeconds counted from when the function begins: on AWS an invocation never waits for its turn */
function invocation(functions: Functions, timeoutSeconds: number | undefined) {
  return async (nameOrArn: string, event: unknown, { signal }: MachineRun) => {
    const limit = taskTimeout(timeoutSeconds, () => new TaskError('States.Timeout', 'The task timed out'));
    const invoked = functions.invoke(nameOrArn, event, { signal, onStart: limit.start });
    const thrown = (error: Error) => {
      throw new TaskError(`Lambda.${error.name}`, error.message);
    };
    const result = await Promise.race([invoked.catch(thrown), limit.expired]).finally(limit.clear);
    if (!result.ok) throw new TaskError(result.error.errorType, result.error);
    return { ExecutedVersion: '$LATEST', Payload: JSON.parse(result.payload) as unknown, StatusCode: 200 };
  };
}

async function putEvents(input: unknown, events: EventBuses): Promise<unknown> {
  const parameters = putEventsParameters.safeParse(input);
  if (!parameters.success)
    throw new TaskError('EventBridge.ValidationException', z.prettifyError(parameters.error));
  const ids = parameters.data.Entries.map(({ EventBusName, Source, DetailType, Detail }) => {
    const detail = typeof Detail === 'string' ? JSON.parse(Detail) : Detail;
    return events.publish({ busName: EventBusName, source: Source, detailType: DetailType, detail });
  });
  return { Entries: ids.map((EventId) => ({ EventId })), FailedEntryCount: 0 };
}
