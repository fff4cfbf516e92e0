import {
  ExecutionError,
  ExecutionTimeoutError,
  type RunOptions,
  StateMachine,
} from 'aws-local-stepfunctions';
import { readDefinition } from './definition.ts';
import type { Ending } from './execution-store.ts';
import { type TaskHandler, taskHandler, type Work } from './tasks.ts';

/** A state machine that is ready to run. */
export type Interpreter = {
  /** Starts one execution. `ended` never rejects; it is undefined for an execution that was aborted. */
  run(input: string, context: ExecutionContext): { ended: Promise<Ending | undefined>; abort(): void };
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
export function interpreter(name: string, text: string, work: Work): Interpreter {
  const { definition, tasks } = readDefinition(name, text);
  const handlers = [...tasks].map(([task, state]): [string, TaskHandler] => [
    task,
    taskHandler(task, state, work),
  ]);
  const machine = new StateMachine(definition as ConstructorParameters<typeof StateMachine>[0]);
  const taskResourceLocalHandlers = Object.fromEntries(handlers) as NonNullable<
    RunOptions['overrides']
  >['taskResourceLocalHandlers'];
  return {
    run(input, context) {
      const options: RunOptions = {
        overrides: { ...(taskResourceLocalHandlers ? { taskResourceLocalHandlers } : {}) },
        noThrowOnAbort: true,
        context,
      };
      const { result, abort } = machine.run(JSON.parse(input), options);
      let aborted = false;
      const ended = result.then(
        (output): Ending | undefined =>
          aborted ? undefined : { status: 'SUCCEEDED', output: JSON.stringify(output) },
        endingOf,
      );
      return {
        ended,
        abort() {
          aborted = true;
          abort();
        },
      };
    },
  };
}

function endingOf(error: unknown): Ending {
  if (error instanceof ExecutionTimeoutError) return { status: 'TIMED_OUT', error: 'States.Timeout' };
  const cause = error instanceof ExecutionError ? error.cause : error;
  if (cause instanceof Error) return { status: 'FAILED', error: cause.name, cause: cause.message };
  return { status: 'FAILED', error: 'States.Runtime', cause: String(cause) };
}
