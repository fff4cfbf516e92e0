import * as z from 'zod';
import type { Events } from '../../events.ts';
import type { Functions } from '../../lambda/functions.ts';
import { DefinitionError, type State } from './definition.ts';

/** What does the work of a task state: its input after `Parameters` in, its result before `ResultSelector` out. */
export type TaskHandler = (input: unknown) => Promise<unknown>;

/** A task that failed; `name` is what `Retry` and `Catch` match, the message becomes the `Cause`. */
class TaskError extends Error {
  constructor(name: string, cause: unknown) {
    super(typeof cause === 'string' ? cause : JSON.stringify(cause));
    this.name = name;
  }
}

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

/**
 * The handler of one task state.
 *
 * @throws DefinitionError for a resource that does not run here
 */
export function taskHandler(name: string, { Resource = '' }: State, work: Work): TaskHandler {
  if (Resource === 'arn:aws:states:::lambda:invoke') return (input) => invoke(input, work.functions);
  if (/^arn:[^:]+:lambda:[^:]*:[^:]*:function:/.test(Resource)) {
    return async (input) => (await invokeFunction(Resource, input, work.functions)).Payload;
  }
  if (Resource === 'arn:aws:states:::events:putEvents') return (input) => putEvents(input, work.events);
  throw new DefinitionError(`State ${name}: the resource ${Resource || '(none)'} does not run here`);
}

/** What the tasks of a state machine work with. */
export type Work = { functions: Functions; events: Events };

async function invoke(input: unknown, functions: Functions): Promise<unknown> {
  const parameters = invokeParameters.safeParse(input);
  if (!parameters.success) throw new TaskError('States.Runtime', z.prettifyError(parameters.error));
  return invokeFunction(parameters.data.FunctionName, parameters.data.Payload, functions);
}

async function invokeFunction(nameOrArn: string, event: unknown, functions: Functions) {
  const result = await functions.invoke(nameOrArn, event).catch((error: Error) => {
    throw new TaskError(`Lambda.${error.name}`, error.message);
  });
  if (!result.ok) throw new TaskError(result.error.errorType, result.error);
  return { ExecutedVersion: '$LATEST', Payload: JSON.parse(result.payload) as unknown, StatusCode: 200 };
}

async function putEvents(input: unknown, events: Events): Promise<unknown> {
  const parameters = putEventsParameters.safeParse(input);
  if (!parameters.success)
    throw new TaskError('EventBridge.ValidationException', z.prettifyError(parameters.error));
  const ids = parameters.data.Entries.map(({ EventBusName, Source, DetailType, Detail }) => {
    const detail = typeof Detail === 'string' ? JSON.parse(Detail) : Detail;
    return events.publish({ busName: EventBusName, source: Source, detailType: DetailType, detail });
  });
  return { Entries: ids.map((EventId) => ({ EventId })), FailedEntryCount: 0 };
}
