import pRetry from 'p-retry';
import type { InvokableFunctions } from './functions.ts';
import { InvocationError, isTransient } from './invocation-error.ts';

/** Lambda's quota for the event of an asynchronous invocation: 1 MB. */
const maxEventBytes = 1024 * 1024;

// Lambda Developer Guide, "How Lambda handles errors and retries with asynchronous invocation".
const throttledDelays = { minTimeout: 1000, maxTimeout: 5 * 60_000 };
const failedDelays = { minTimeout: 60_000 };

/** The function has failed: an exception, a time-out, or the end of its process. */
class FunctionFailedError extends Error {
  override readonly name = 'FunctionFailedError';
}

export type AsynchronousInvocation = {
  functions: InvokableFunctions;
  nameOrArn: string;
  event: unknown;
  /** An older event is not retried. */
  maxEventAgeSeconds: number;
  /** Retries of an event on which the function fails. */
  maxRetries: number;
  /** Ends the retries. */
  signal: AbortSignal;
};

/**
 * Invokes a function as Lambda does with an asynchronous event: a throttled event is retried after 1 s to 5 minutes until
 * it is too old, a failed one after one and two minutes.
 *
 * @throws the last error; InvocationError for an event above 1 MB
 */
export async function invokeAsynchronously(invocation: AsynchronousInvocation): Promise<void> {
  const { functions, nameOrArn, event, maxEventAgeSeconds, maxRetries, signal } = invocation;
  const bytes = Buffer.byteLength(JSON.stringify(event));
  if (bytes > maxEventBytes) {
    throw new InvocationError(
      'RequestTooLargeException',
      `${bytes} byte payload is too large for the Event invocation type (limit ${maxEventBytes} bytes)`,
    );
  }
  const expiresAt = Date.now() + maxEventAgeSeconds * 1000;
  const options = () => ({ signal, unref: true, maxRetryTime: expiresAt - Date.now() });
  const invoke = () =>
    pRetry(() => functions.invoke(nameOrArn, event), {
      ...options(),
      ...throttledDelays,
      retries: Number.POSITIVE_INFINITY,
      shouldRetry: ({ error }) => isTransient(error),
    });
  const invokeOnce = async () => {
    const result = await invoke();
    if (!result.ok) throw new FunctionFailedError(`${result.error.errorType}: ${result.error.errorMessage}`);
  };
  await pRetry(invokeOnce, {
    ...options(),
    ...failedDelays,
    retries: maxRetries,
    shouldRetry: ({ error }) => error instanceof FunctionFailedError,
  });
}
