import { StateMachine } from 'aws-local-stepfunctions';
import pLimit from 'p-limit';
import type { MachineRun, StateHandler } from './compile-machine.ts';
import type { MapPlan } from './definition.ts';
import { TaskError } from './task-error.ts';

/**
 * What does the work of a Map as AWS does: the first iteration that fails, fails the Map; those that run are stopped
 * and no other is begun.
 */
export function mapHandler(
  { itemsPath, itemSelector, maxConcurrency }: MapPlan,
  iterate: StateHandler,
): StateHandler {
  const itemsOf = evaluation({ InputPath: itemsPath });
  const selected = itemSelector && evaluation({ Parameters: itemSelector });
  return async (input, { context, signal }) => {
    const items = await itemsOf(input, context);
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
        return iterate(selected ? await selected(input, run.context) : Value, run);
      });
    });
    try {
      return await Promise.all(iterations);
    } finally {
      ended.abort();
    }
  };
}

type Evaluation = (input: unknown, context: MachineRun['context']) => Promise<unknown>;

/** What a path or a template gives, evaluated by the interpreter itself. */
function evaluation(fields: { InputPath: string } | { Parameters: object }): Evaluation {
  const definition = { StartAt: 'Evaluate', States: { Evaluate: { Type: 'Pass', ...fields, End: true } } };
  const machine = new StateMachine(definition as ConstructorParameters<typeof StateMachine>[0], {
    validationOptions: { noValidate: true },
  });
  return (input, context) =>
    machine.run(input as Parameters<StateMachine['run']>[0], { context }).result.catch((cause: Error) => {
      throw new TaskError('States.Runtime', cause.message);
    });
}
