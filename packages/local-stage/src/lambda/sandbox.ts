import type { ChildProcess } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { killProcessTree } from './process-tree.ts';
import {
  type FunctionError,
  type Invocation,
  type InvocationResult,
  type RuntimeApi,
  startRuntimeApi,
} from './runtime-api.ts';
import { type SandboxOptions, spawnRuntime } from './spawn-runtime.ts';
import { watchLimits } from './watch-limits.ts';

/** One invocation: `payload` is the event as JSON. */
export type SandboxEvent = Pick<Invocation, 'requestId' | 'traceHeader' | 'payload'>;

/** An execution environment of a function: a child process that handles one invocation at a time. */
export type Sandbox = {
  /** Resolves to true when the sandbox is idle, to false when it has died. */
  waitUntilReady(): Promise<boolean>;
  /** Runs the function. After its timeout, the process and all its descendants are killed. */
  invoke(event: SandboxEvent): Promise<InvocationResult>;
  /** Kills the process and all its descendants. */
  kill(): void;
  /** Resolves when the process has ended and its temporary folder is removed. */
  ended: Promise<void>;
};

// Lambda limits the init phase to 10 s and repeats it within the first invocation. Here it is one longer wait.
const initSeconds = 10;

/** Signals as Lambda names them. */
const signalNames: Partial<Record<NodeJS.Signals, string>> = {
  SIGABRT: 'aborted',
  SIGKILL: 'killed',
  SIGSEGV: 'segmentation fault',
  SIGTERM: 'terminated',
};

/** Starts the process of a sandbox, which loads the function at once (cold start). */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { plan } = options;
  const slot = invocationSlot();
  const api = await startRuntimeApi({
    onReady: slot.markReady,
    onInitError: slot.fail,
    onResult: slot.settle,
  });
  await mkdir(options.temporaryDirectory, { recursive: true });
  const child = spawnRuntime(options, api.address);
  const kill = () => {
    if (child.pid !== undefined) killProcessTree(child.pid);
  };
  const killBecause = (error: FunctionError, line: string) => {
    options.log(`function ${plan.name}`, line);
    slot.fail(error);
    kill();
  };
  const unwatch = watchLimits({
    pid: child.pid ?? 0,
    plan,
    temporaryDirectory: options.temporaryDirectory,
    isIdle: slot.isIdle,
    onExceeded: killBecause,
  });
  const ended = waitForEnd(child, api, options.temporaryDirectory, (reason) => {
    unwatch();
    slot.fail({ errorType: 'Runtime.ExitError', errorMessage: `Runtime exited with error: ${reason}` });
  });

  async function withTimeout<T>(seconds: number, outcome: Promise<T>): Promise<T> {
    const timer = setTimeout(() => {
      const errorMessage = `Task timed out after ${plan.timeoutSeconds.toFixed(2)} seconds`;
      killBecause({ errorType: 'Sandbox.Timedout', errorMessage }, errorMessage);
    }, seconds * 1000);
    return outcome.finally(() => clearTimeout(timer));
  }

  return {
    waitUntilReady: slot.waitUntilReady,
    async invoke({ requestId, traceHeader, payload }) {
      const isReady = await withTimeout(initSeconds + plan.timeoutSeconds, slot.waitUntilReady());
      const result = slot.begin(requestId);
      if (!isReady) return result;
      const deadlineMs = Date.now() + plan.timeoutSeconds * 1000;
      api.offer({ requestId, traceHeader, payload, deadlineMs, functionArn: plan.arn });
      return withTimeout(plan.timeoutSeconds, result);
    },
    kill,
    ended,
  };
}

async function waitForEnd(
  child: ChildProcess,
  api: RuntimeApi,
  temporaryDirectory: string,
  onEnd: (reason: string) => void,
): Promise<void> {
  const reason = await new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) =>
      resolve(signal ? `signal: ${signalNames[signal] ?? signal}` : `exit status ${code}`),
    );
  });
  // Children survive in the process group when the process exits by itself.
  if (child.pid !== undefined) killProcessTree(child.pid);
  onEnd(reason);
  await api.close();
  // Killed processes may still write for a moment: retry.
  await rm(temporaryDirectory, { recursive: true, force: true, maxRetries: 5 });
}

/** Matches the invocations of one sandbox with its results, one at a time. */
type InvocationSlot = {
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
function invocationSlot(): InvocationSlot {
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
