import { ExecutionError, ExecutionTimeoutError, StateMachine } from 'aws-local-stepfunctions';
import pLimit from 'p-limit';
import { type MachinePlan, type MapPlan, parseDefinition } from './definition.ts';
import type { ExecutionResult } from './execution-store.ts';
import { type MachineRun, type StateHandler, TaskError } from './state-handler.ts';
import { type TaskPorts, taskHandler } from './task-handler.ts';

export type Interpreter = {
  /** Starts one execution. `ended` never rejects; it resolves to undefined for an aborted execution. */
  run(input: string, context: ExecutionContext): { ended: Promise<ExecutionResult | undefined>; abort(): void };
};

/** `$$.Execution` and `$$.StateMachine`. */
export type ExecutionContext = {
  Execution: { Id: string; Name: string; RoleArn: string };
  StateMachine: { Id: string; Name: string };
};

type Definition = ConstructorParameters<typeof StateMachine>[0];
type LocalHandlers = NonNullable<
  NonNullable<Parameters<StateMachine['run']>[1]>['overrides']
>['taskResourceLocalHandlers'];

/**
 * Creates the interpreter of a definition. Validates the definition once, because validation takes 150 ms.
 *
 * @throws Error naming the state, for a definition that is invalid or does not run here
 */
export function createInterpreter(name: string, text: string, deps: TaskPorts): Interpreter {
  const machine = compileMachine(parseDefinition(name, text), deps);
  validate(JSON.parse(text));
  return {
    run(input, context) {
      const controller = new AbortController();
      let isAborted = false;
      const ended = machine(JSON.parse(input), { context, signal: controller.signal })
        .then(
          (output): ExecutionResult | undefined =>
            isAborted ? undefined : { status: 'SUCCEEDED', output: JSON.stringify(output) },
          failureResult,
        )
        // Stops what a timed-out run has started.
        .finally(() => controller.abort());
      return {
        ended,
        abort() {
          isAborted = true;
          controller.abort();
        },
      };
    },
  };
}

function validate(definition: Definition): void {
  new StateMachine(definition);
}

function failureResult(error: unknown): ExecutionResult {
  if (error instanceof ExecutionTimeoutError) return { status: 'TIMED_OUT', error: 'States.Timeout' };
  if (error instanceof Error) return { status: 'FAILED', error: error.name, cause: error.message };
  return { status: 'FAILED', error: 'States.Runtime', cause: String(error) };
}

/** Quota of Step Functions for the input or output of a state. */
const maxStateBytes = 262_144;

/**
 * Binds the states of a machine to their handlers. A run resolves to its output, or to null if it was aborted, and
 * rejects with the error that failed it.
 *
 * @throws DefinitionError for a task whose resource does not run here
 */
function compileMachine({ definition, tasks, maps }: MachinePlan, deps: TaskPorts): StateHandler {
  const machine = new StateMachine(definition as Definition, { validationOptions: { noValidate: true } });
  const handlers = new Map<string, StateHandler>();
  for (const [name, state] of tasks) handlers.set(name, taskHandler(name, state, deps));
  for (const [name, map] of maps) handlers.set(name, mapHandler(map, compileMachine(map.iteration, deps)));
  return async (input, run) => {
    const bound = [...handlers].map(([name, handle]) => [name, bindHandler(handle, run)] as const);
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

/** Enforces the size quota, and fails a retry that starts after the run has ended. */
function bindHandler(handle: StateHandler, run: MachineRun): (input: unknown) => Promise<unknown> {
  return async (input) => {
    if (run.signal.aborted) throw new TaskError('States.Runtime', 'The run has ended');
    checkSize(input);
    const result = await handle(input, run);
    checkSize(result);
    return result;
  };
}

function checkSize(value: unknown): void {
  const bytes = Buffer.byteLength(JSON.stringify(value) ?? '');
  if (bytes <= maxStateBytes) return;
  throw new TaskError('States.DataLimitExceeded', `${bytes} bytes exceed the maximum of ${maxStateBytes}`);
}

/**
 * Executes an inline Map state as AWS does: the first failed iteration fails the Map. Running iterations are stopped,
 * and no further one starts.
 */
function mapHandler({ itemsPath, itemSelector, maxConcurrency }: MapPlan, iterate: StateHandler): StateHandler {
  const selectItems = evaluator({ InputPath: itemsPath });
  const selectItem = itemSelector && evaluator({ Parameters: itemSelector });
  return async (input, { context, signal }) => {
    const items = await selectItems(input, context);
    if (!Array.isArray(items)) throw new TaskError('States.Runtime', `${itemsPath} is not a list`);
    const ended = new AbortController();
    const limit = pLimit(maxConcurrency);
    const iterations = items.map((Value: unknown, Index) => {
      const run: MachineRun = {
        context: { ...context, Map: { Item: { Index, Value } } },
        signal: AbortSignal.any([signal, ended.signal]),
      };
      return limit(async () => {
        run.signal.throwIfAborted();
        return iterate(selectItem ? await selectItem(input, run.context) : Value, run);
      });
    });
    try {
      return await Promise.all(iterations);
    } finally {
      ended.abort();
    }
  };
}

type Evaluator = (input: unknown, context: MachineRun['context']) => Promise<unknown>;

/** Evaluates a path or a payload template with the interpreter package, in a Pass state. */
function evaluator(fields: { InputPath: string } | { Parameters: object }): Evaluator {
  const definition = { StartAt: 'Evaluate', States: { Evaluate: { Type: 'Pass', ...fields, End: true } } };
  const machine = new StateMachine(definition as ConstructorParameters<typeof StateMachine>[0], {
    validationOptions: { noValidate: true },
  });
  return (input, context) =>
    machine.run(input as Parameters<StateMachine['run']>[0], { context }).result.catch((cause: Error) => {
      throw new TaskError('States.Runtime', cause.message);
    });
}
