import { ExecutionTimeoutError, StateMachine } from 'aws-local-stepfunctions';
import { compileMachine } from './compile-machine.ts';
import { parseDefinition } from './definition.ts';
import type { ExecutionResult } from './execution-store.ts';
import type { TaskDeps } from './task-handler.ts';

/** A state machine that is ready to run. */
export type Interpreter = {
  /** Starts one execution. `ended` never rejects; it is undefined for an execution that was aborted. */
  run(
    input: string,
    context: ExecutionContext,
  ): { ended: Promise<ExecutionResult | undefined>; abort(): void };
};

/** What `$$.Execution` and `$$.StateMachine` give. */
export type ExecutionContext = {
  Execution: { Id: string; Name: string; RoleArn: string };
  StateMachine: { Id: string; Name: string };
};

/**
 * Builds the interpreter of a definition. The definition is validated here, once, since that takes 150 ms.
 *
 * @throws Error naming the state for what cannot run here, or is not in Amazon States Language
 */
export function createInterpreter(name: string, text: string, work: TaskDeps): Interpreter {
  const machine = compileMachine(parseDefinition(name, text), work);
  requireValid(JSON.parse(text));
  return {
    run(input, context) {
      const stopping = new AbortController();
      let aborted = false;
      const ended = machine(JSON.parse(input), { context, signal: stopping.signal })
        .then(
          (output): ExecutionResult | undefined =>
            aborted ? undefined : { status: 'SUCCEEDED', output: JSON.stringify(output) },
          endingOf,
        )
        // What a run that timed out has begun ends with it.
        .finally(() => stopping.abort());
      return {
        ended,
        abort() {
          aborted = true;
          stopping.abort();
        },
      };
    },
  };
}

function requireValid(definition: ConstructorParameters<typeof StateMachine>[0]): void {
  new StateMachine(definition);
}

function endingOf(error: unknown): ExecutionResult {
  if (error instanceof ExecutionTimeoutError) return { status: 'TIMED_OUT', error: 'States.Timeout' };
  if (error instanceof Error) return { status: 'FAILED', error: error.name, cause: error.message };
  return { status: 'FAILED', error: 'States.Runtime', cause: String(error) };
}
