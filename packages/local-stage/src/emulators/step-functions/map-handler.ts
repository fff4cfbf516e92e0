import { StateMachine } from 'aws-local-stepfunctions';
import pLimit from 'p-limit';
import type { MapPlan } from './definition.ts';
import { type MachineRun, type StateHandler, TaskError } from './state-handler.ts';

/**
 * Executes an inline Map state as AWS does: the first failed iteration fails the Map. Running iterations are stopped,
 * and no further one starts.
 */
export function mapHandler({ itemsPath, itemSelector, maxConcurrency }: MapPlan, iterate: StateHandler): StateHandler {
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
