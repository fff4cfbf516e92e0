import { ExecutionError, StateMachine } from 'aws-local-stepfunctions';
import type { MachinePlan } from './definition.ts';
import { mapHandler } from './map-handler.ts';
import { TaskError } from './task-error.ts';
import { type TaskDeps, taskHandler } from './task-handler.ts';

/** A run of a machine, or of one iteration of a Map in it: what its tasks know besides their input. */
export type MachineRun = {
  /** What `$$` gives. */
  context: Record<string, unknown>;
  /** Aborts when the run is stopped, has timed out, or its Map has failed. */
  signal: AbortSignal;
};

/** What does the work of a state: its input after `Parameters` in, its result before `ResultSelector` out. */
export type StateHandler = (input: unknown, run: MachineRun) => Promise<unknown>;

type Definition = ConstructorParameters<typeof StateMachine>[0];
type LocalHandlers = NonNullable<
  NonNullable<Parameters<StateMachine['run']>[1]>['overrides']
>['taskResourceLocalHandlers'];

/** What a state may take in or put out. */
const mostBytes = 262_144;

/**
 * Makes a machine ready to run. A run resolves to its output, or to null when it was aborted, and rejects with what
 * failed it.
 *
 * @throws DefinitionError for a task whose resource does not run here
 */
export function compileMachine({ definition, tasks, maps }: MachinePlan, work: TaskDeps): StateHandler {
  const machine = new StateMachine(definition as Definition, { validationOptions: { noValidate: true } });
  const handlers = new Map<string, StateHandler>();
  for (const [name, state] of tasks) handlers.set(name, taskHandler(name, state, work));
  for (const [name, map] of maps) handlers.set(name, mapHandler(map, compileMachine(map.iteration, work)));
  return async (input, run) => {
    const bound = [...handlers].map(([name, handle]) => [name, bounded(handle, run)] as const);
    const { result, abort } = machine.run(input as Parameters<StateMachine['run']>[0], {
      overrides: { taskResourceLocalHandlers: Object.fromEntries(bound) as NonNullable<LocalHandlers> },
      noThrowOnAbort: true,
      context: run.context,
    });
    run.signal.addEventListener('abort', abort, { once: true });
    try {
      return await result;
    } catch (error) {
      throw error instanceof ExecutionError ? error.cause : error;
    } finally {
      run.signal.removeEventListener('abort', abort);
    }
  };
}

/** Holds a handler to the limits of a state, and to the end of its run: a retry that waited is woken by it. */
function bounded(handle: StateHandler, run: MachineRun): (input: unknown) => Promise<unknown> {
  return async (input) => {
    if (run.signal.aborted) throw new TaskError('States.Runtime', 'The run has ended');
    requireSmall(input);
    const result = await handle(input, run);
    requireSmall(result);
    return result;
  };
}

function requireSmall(value: unknown): void {
  const bytes = Buffer.byteLength(JSON.stringify(value) ?? '');
  if (bytes <= mostBytes) return;
  throw new TaskError('States.DataLimitExceeded', `${bytes} bytes; a state carries ${mostBytes} at most`);
}
