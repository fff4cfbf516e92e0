import { randomUUID } from 'node:crypto';
import { TaskError } from './state-handler.ts';

export type TaskTokens = {
  /** Issues a token. `answered` rejects with a `TaskError` if the answer is a failure, or if the run ends. */
  issue(run: AbortSignal): { token: string; answered: Promise<unknown> };
  /** False if no task waits for the token. */
  succeed(token: string, output: unknown): boolean;
  fail(token: string, error: { name: string; cause: string }): boolean;
};

type Waiting = { resolve(output: unknown): void; reject(error: TaskError): void };

export function taskTokens(): TaskTokens {
  const waiting = new Map<string, Waiting>();
  const answer = (token: string, act: (task: Waiting) => void): boolean => {
    const task = waiting.get(token);
    if (task !== undefined) act(task);
    return waiting.delete(token);
  };
  return {
    issue(run) {
      const token = randomUUID();
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      // A rejection before the task awaits it, when the message cannot be sent, is no unhandled one.
      promise.catch(() => undefined);
      waiting.set(token, { resolve, reject });
      const abandon = () => answer(token, (task) => task.reject(new TaskError('States.Runtime', 'The run has ended')));
      run.addEventListener('abort', abandon, { once: true });
      if (run.aborted) abandon();
      return { token, answered: promise.finally(() => run.removeEventListener('abort', abandon)) };
    },
    succeed: (token, output) => answer(token, ({ resolve }) => resolve(output)),
    fail: (token, { name, cause }) => answer(token, ({ reject }) => reject(new TaskError(name, cause))),
  };
}
