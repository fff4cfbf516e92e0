import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { StateDefinition } from '../../../src/emulators/step-functions/definition.ts';
import { taskHandler } from '../../../src/emulators/step-functions/task-handler.ts';
import { taskTokens } from '../../../src/emulators/step-functions/task-tokens.ts';
import type { InvokeOptions } from '../../../src/lambda/function-pool.ts';
import { functionArn, hangs, invokes, noTasks, returns } from '../../builders/a-state-machine.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const minute = 60_000;
const run = { context: {}, signal: new AbortController().signal };

/** The outcome of a task with a timeout of a minute. The test decides when its function starts. */
function aTask(invoke = hangs) {
  let options: InvokeOptions | undefined;
  const functions = {
    invoke: (_name: string, _event: unknown, invokeOptions?: InvokeOptions) => {
      options = invokeOptions;
      return invoke();
    },
  };
  const state: StateDefinition = {
    ...invokes({ TimeoutSeconds: 60 }),
    Type: 'Task',
    Retry: [],
    Catch: [],
    Branches: [],
  };
  const handle = taskHandler('Only', state, {
    functions,
    send: async () => undefined,
    runTask: noTasks,
    tokens: taskTokens(),
  });
  let outcome = 'open';
  void handle({ FunctionName: functionArn }, run).then(
    () => {
      outcome = 'done';
    },
    (error: Error) => {
      outcome = error.name;
    },
  );
  return { begin: () => options?.onStart?.(), outcome: () => outcome };
}

it('a task times out', async () => {
  const { begin, outcome } = aTask();
  begin();
  await vi.advanceTimersByTimeAsync(minute - 1);
  expect(outcome()).toBe('open');
  await vi.advanceTimersByTimeAsync(1);
  expect(outcome()).toBe('States.Timeout');
});

it('the timeout of a task starts when its function starts', async () => {
  const { begin, outcome } = aTask();
  await vi.advanceTimersByTimeAsync(10 * minute);
  begin();
  await vi.advanceTimersByTimeAsync(minute - 1);
  expect(outcome()).toBe('open');
});

it('an ended task leaves no timer behind', async () => {
  const { begin, outcome } = aTask(returns({}));
  begin();
  await vi.advanceTimersByTimeAsync(0);
  expect([outcome(), vi.getTimerCount()]).toEqual(['done', 0]);
});
