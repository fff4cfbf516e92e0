import pRetry from 'p-retry';
import type { InvokableFunctions } from './functions.ts';
import { InvocationError, isTransient } from './invocation-error.ts';

/** Lambda's quota for the event of an asynchronous invocation: 1 MB. */
const maxEventBytes = 1024 * 1024;

// Lambda Developer Guide, "How Lambda handles errors and retries with asynchronous invocation".
const throttledRetries = { minTimeout: 1000, maxTimeout: 5 * 60_000, maxRetryTime: 6 * 60 * 60_000 };
const failedRetries = { retries: 2, minTimeout: 60_000 };

/** The function has failed: an exception, a time-out, or the end of its process. */
class FunctionFailedError extends Error {
  override readonly name = 'FunctionFailedError';
}

export type AsynchronousInvocation = {
  functions: InvokableFunctions;
  nameOrArn: string;
  event: unknown;
  /** Ends the retries. */
  signal: AbortSignal;
};

/**
 * Invokes a function as Lambda does with an asynchronous event: a throttled event is retried for 6 hours after 1 s to
 * 5 minutes, a failed one twice, after one and two minutes.
 *
 * @throws the last error; InvocationError for an event above 1 MB
 */
export async function invokeAsynchronously(invocation: AsynchronousInvocation): Promise<void> {
  const { functions, nameOrArn, event, signal } = invocation;
  const bytes = Buffer.byteLength(JSON.stringify(event));
  if (bytes > maxEventBytes) {
    throw new InvocationError(
      'RequestTooLargeException',
      `${bytes} byte payload is too large for the Event invocation type (limit ${maxEventBytes} bytes)`,
    );
  }
  const options = { signal, unref: true };
  const invoke = () =>
    pRetry(() => functions.invoke(nameOrArn, event), {
      ...options,
      ...throttledRetries,
      retries: Number.POSITIVE_INFINITY,
      shouldRetry: ({ error }) => isTransient(error),
    });
  const invokeOnce = async () => {
    const result = await invoke();
    if (!result.ok) throw new FunctionFailedError(`${result.error.errorType}: ${result.error.errorMessage}`);
  };
  await pRetry(invokeOnce, {
    ...options,
    ...failedRetries,
    shouldRetry: ({ error }) => error instanceof FunctionFailedError,
  });
}
