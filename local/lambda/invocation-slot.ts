import type { FunctionError, InvocationResult } from './runtime-api.ts';

/** Where the invocations of one sandbox meet its answers, one at a time. */
export type InvocationSlot = {
  /** The runtime asks for work. */
  markReady(): void;
  /** Whether the runtime asks for work, once that is known: false when the sandbox has died. */
  waitUntilReady(): Promise<boolean>;
  /** Begins an invocation; resolves to its result, or to how the sandbox died. */
  begin(requestId: string): Promise<InvocationResult>;
  settle(requestId: string, result: InvocationResult): void;
  /** The sandbox is no more, for the first reason that is given. */
  fail(error: FunctionError): void;
};

/** The desk of a sandbox that has not asked for work yet. */
export function invocationSlot(): InvocationSlot {
  let asking = Promise.withResolvers<boolean>();
  let current: { requestId: string; result: PromiseWithResolvers<InvocationResult> } | undefined;
  let death: FunctionError | undefined;
  return {
    markReady: () => asking.resolve(true),
    waitUntilReady: () => asking.promise,
    begin(requestId) {
      if (death) return Promise.resolve({ ok: false, error: death });
      current = { requestId, result: Promise.withResolvers() };
      asking = Promise.withResolvers();
      return current.result.promise;
    },
    settle(requestId, result) {
      if (current?.requestId === requestId) current.result.resolve(result);
    },
    fail(error) {
      death ??= error;
      asking.resolve(false);
      current?.result.resolve({ ok: false, error: death });
    },
  };
}
