import type { FunctionError, InvocationResult } from './runtime-api.ts';

/** Matches the invocations of one sandbox with its results, one at a time. */
export type InvocationSlot = {
  /** The runtime has requested an invocation. */
  markReady(): void;
  /** Resolves to true when the runtime requests an invocation, to false when the sandbox dies. */
  waitUntilReady(): Promise<boolean>;
  /** Whether the runtime waits for an invocation. It does not while it loads the function. */
  isIdle(): boolean;
  /** Starts an invocation. Resolves to its result, or to the error of the sandbox. */
  begin(requestId: string): Promise<InvocationResult>;
  settle(requestId: string, result: InvocationResult): void;
  /** The sandbox has died. Only the first error counts. */
  fail(error: FunctionError): void;
};

/** Creates the slot of a sandbox that is not ready yet. */
export function invocationSlot(): InvocationSlot {
  let readiness = Promise.withResolvers<boolean>();
  let current: { requestId: string; result: PromiseWithResolvers<InvocationResult> } | undefined;
  let sandboxError: FunctionError | undefined;
  let isIdle = false;
  return {
    markReady() {
      isIdle = true;
      readiness.resolve(true);
    },
    isIdle: () => isIdle,
    waitUntilReady: () => readiness.promise,
    begin(requestId) {
      if (sandboxError) return Promise.resolve(failed(sandboxError, requestId));
      isIdle = false;
      current = { requestId, result: Promise.withResolvers() };
      readiness = Promise.withResolvers();
      return current.result.promise;
    },
    settle(requestId, result) {
      if (current?.requestId === requestId) current.result.resolve(result);
    },
    fail(error) {
      sandboxError ??= error;
      readiness.resolve(false);
      current?.result.resolve(failed(sandboxError, current.requestId));
    },
  };
}

/** The error of the platform names the request, that of the function does not. */
function failed(error: FunctionError, requestId: string): InvocationResult {
  if (!error.errorMessage.startsWith('Runtime exited')) return { ok: false, error };
  return { ok: false, error: { ...error, errorMessage: `RequestId: ${requestId} Error: ${error.errorMessage}` } };
}
