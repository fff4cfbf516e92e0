import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Log } from '../log.ts';
import type { Endpoints } from '../template/resource-kind.ts';
import type { FunctionPlan } from '../template/stage-plan.ts';
import { invocationSlot } from './invocation-slot.ts';
import { killProcessTree } from './process-tree.ts';
import { type InvocationResult, type RuntimeApi, startRuntimeApi } from './runtime-api.ts';
import { sandboxEnvironment } from './sandbox-environment.ts';
import { maxDescriptors, watchLimits } from './watch-limits.ts';

export type SandboxOptions = {
  plan: FunctionPlan;
  endpoints: Endpoints;
  /** Created for the sandbox and removed with it. */
  temporaryDirectory: string;
  logStream: string;
  /** Path of a module to load before the function. */
  preload?: string | undefined;
  log: Log;
};

/** An execution environment of a function: a child process that handles one invocation at a time. */
export type Sandbox = {
  /** Resolves to true when the sandbox is idle, to false when it has died. */
  waitUntilReady(): Promise<boolean>;
  /** Runs the function. After its timeout, the process and all its descendants are killed. */
  invoke(requestId: string, payload: string): Promise<InvocationResult>;
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
  // Busy from its start: the init phase counts.
  let isIdle = false;
  const api = await startRuntimeApi({
    onReady() {
      isIdle = true;
      slot.markReady();
    },
    onInitError: slot.fail,
    onResult: slot.settle,
  });
  await mkdir(options.temporaryDirectory, { recursive: true });
  const child = spawnRuntime(options, api);
  const kill = () => {
    if (child.pid !== undefined) killProcessTree(child.pid);
  };
  const unwatch = watchLimits({
    pid: child.pid ?? 0,
    plan,
    temporaryDirectory: options.temporaryDirectory,
    isIdle: () => isIdle,
    onExceeded(error, reason) {
      options.log(`function ${plan.name}`, `${error.errorMessage} ${error.errorType} (${reason})`);
      slot.fail(error);
      kill();
    },
  });
  const ended = waitForEnd(child, api, options.temporaryDirectory, (reason) => {
    unwatch();
    slot.fail({ errorType: 'Runtime.ExitError', errorMessage: `Runtime exited with error: ${reason}` });
  });

  async function withTimeout<T>(seconds: number, outcome: Promise<T>): Promise<T> {
    const timer = setTimeout(() => {
      const errorMessage = `Task timed out after ${plan.timeoutSeconds.toFixed(2)} seconds`;
      options.log(`function ${plan.name}`, errorMessage);
      slot.fail({ errorType: 'Sandbox.Timedout', errorMessage });
      kill();
    }, seconds * 1000);
    return outcome.finally(() => clearTimeout(timer));
  }

  return {
    waitUntilReady: slot.waitUntilReady,
    async invoke(requestId, payload) {
      const isReady = await withTimeout(initSeconds + plan.timeoutSeconds, slot.waitUntilReady());
      const result = slot.begin(requestId);
      if (!isReady) return result;
      isIdle = false;
      const deadlineMs = Date.now() + plan.timeoutSeconds * 1000;
      api.offer({ requestId, payload, deadlineMs, functionArn: plan.arn });
      return withTimeout(plan.timeoutSeconds, result);
    },
    kill,
    ended,
  };
}

function spawnRuntime(
  { plan, endpoints, temporaryDirectory, logStream, preload, log }: SandboxOptions,
  api: RuntimeApi,
) {
  // Lambda gives 90 % of the memory to the heap.
  const heapMb = Math.floor(plan.memoryMb * 0.9);
  const child = spawn(
    '/bin/sh',
    [
      '-c',
      // A soft limit would not do: Node raises it to the hard one.
      `ulimit -n ${maxDescriptors} && exec "$@"`,
      'sh',
      process.execPath,
      `--max-old-space-size=${heapMb}`,
      ...writableOnly(temporaryDirectory),
      ...(preload === undefined ? [] : ['--import', preload]),
      join(import.meta.dirname, 'bootstrap.cjs'),
    ],
    {
      cwd: plan.code.directory,
      // Its own process group, so that one signal reaches all children.
      detached: true,
      env: sandboxEnvironment({ plan, endpoints, runtimeApi: api.address, temporaryDirectory, logStream }),
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  );
  for (const output of [child.stdout, child.stderr]) {
    createInterface({ input: output }).on('line', (line) => log(`function ${plan.name}`, line));
  }
  return child;
}

/** Lets the function write nowhere but in `/tmp`. Its child processes are not limited. */
function writableOnly(temporaryDirectory: string): string[] {
  return [
    '--permission',
    '--allow-fs-read=*',
    `--allow-fs-write=${temporaryDirectory}`,
    '--allow-child-process',
    // Node warns that child processes are not limited.
    '--disable-warning=SecurityWarning',
  ];
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
