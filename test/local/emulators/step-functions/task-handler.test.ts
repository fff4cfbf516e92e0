import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { StateDefinition } from '../../../../local/emulators/step-functions/asl.ts';
import { taskHandler } from '../../../../local/emulators/step-functions/task-handler.ts';
import { eventBuses } from '../../../../local/events.ts';
import type { InvokeOptions } from '../../../../local/lambda/function-pool.ts';
import { answers, functionArn, hangs, invokes } from '../../builders/a-state-machine.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const minute = 60_000;
const run = { context: {}, signal: new AbortController().signal };

/** What has become of a task that may take a minute, whose function begins when it is told to. */
function aTask(invoke = hangs) {
  let options: InvokeOptions | undefined;
  const functions = {
    invoke: (_name: string, _event: unknown, given?: InvokeOptions) => {
      options = given;
      return invoke();
    },
    kill: async () => undefined,
    stop: async () => undefined,
  };
  const state: StateDefinition = {
    ...invokes({ TimeoutSeconds: 60 }),
    Type: 'Task',
    Retry: [],
    Catch: [],
    Branches: [],
  };
  const handle = taskHandler('Only', state, { functions, events: eventBuses([], () => undefined) });
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

it('a task times out by itself', async () => {
  const { begin, outcome } = aTask();
  begin();
  await vi.advanceTimersByTimeAsync(minute - 1);
  expect(outcome()).toBe('open');
  await vi.advanceTimersByTimeAsync(1);
  expect(outcome()).toBe('States.Timeout');
});

it('a task has all its time when its function had to wait for its turn', async () => {
  const { begin, outcome } = aTask();
  await vi.advanceTimersByTimeAsync(10 * minute);
  begin();
  await vi.advanceTimersByTimeAsync(minute - 1);
  expect(outcome()).toBe('open');
});

it('a task that has ended leaves no timer behind', async () => {
  const { begin, outcome } = aTask(answers({}));
  begin();
  await vi.advanceTimersByTimeAsync(0);
  expect([outcome(), vi.getTimerCount()]).toEqual(['done', 0]);
});
