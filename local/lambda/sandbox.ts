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

export type SandboxOptions = {
  plan: FunctionPlan;
  endpoints: Endpoints;
  /** A folder of the sandbox's own, made for it and removed with it. */
  temporaryDirectory: string;
  logStream: string;
  /** A module to load before the function, by its path. */
  preload?: string | undefined;
  log: Log;
};

/** One execution environment of a function: a child process that serves one invocation after the other. */
export type Sandbox = {
  /** Whether it asks for work, once that is known: false when it has died. */
  waitUntilReady(): Promise<boolean>;
  /** Runs the function. A function that outlives its time-out is killed with everything that it started. */
  invoke(requestId: string, payload: string): Promise<InvocationResult>;
  /** Kills the process and everything that it started. */
  kill(): void;
  /** Resolves when the process has ended and its temporary folder is gone. */
  ended: Promise<void>;
};

// Lambda gives initialisation 10 s and tries again within the invocation; here it is one longer wait.
const initSeconds = 10;

/** Starts the process of a sandbox. It loads the function at once: the cold start. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { plan } = options;
  const desk = invocationSlot();
  const api = await startRuntimeApi({
    onReady: desk.markReady,
    onInitError: desk.fail,
    onResult: desk.settle,
  });
  await mkdir(options.temporaryDirectory, { recursive: true });
  const child = spawnRuntime(options, api);
  const ended = endOf(child, api, options.temporaryDirectory, (how) =>
    desk.fail({ errorType: 'Runtime.ExitError', errorMessage: `Runtime exited with ${how}` }),
  );
  const kill = () => {
    if (child.pid !== undefined) killProcessTree(child.pid);
  };

  async function within<T>(seconds: number, outcome: Promise<T>): Promise<T> {
    const timer = setTimeout(() => {
      const errorMessage = `Task timed out after ${plan.timeoutSeconds.toFixed(2)} seconds`;
      options.log(`function ${plan.name}`, errorMessage);
      desk.fail({ errorType: 'Sandbox.Timedout', errorMessage });
      kill();
    }, seconds * 1000);
    return outcome.finally(() => clearTimeout(timer));
  }

  return {
    waitUntilReady: desk.waitUntilReady,
    async invoke(requestId, payload) {
      const isReady = await within(initSeconds + plan.timeoutSeconds, desk.waitUntilReady());
      const result = desk.begin(requestId);
      if (!isReady) return result;
      const deadlineMs = Date.now() + plan.timeoutSeconds * 1000;
      api.offer({ requestId, payload, deadlineMs, functionArn: plan.arn });
      return within(plan.timeoutSeconds, result);
    },
    kill,
    ended,
  };
}

function spawnRuntime(
  { plan, endpoints, temporaryDirectory, logStream, preload, log }: SandboxOptions,
  api: RuntimeApi,
) {
  // As Lambda does: nine tenths of the memory for the heap.
  const heapMb = Math.floor(plan.memoryMb * 0.9);
  const child = spawn(
    process.execPath,
    [
      `--max-old-space-size=${heapMb}`,
      ...(preload === undefined ? [] : ['--import', preload]),
      join(import.meta.dirname, 'bootstrap.cjs'),
    ],
    {
      cwd: plan.code.directory,
      // A group of its own, so that one signal reaches whatever the function starts.
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

async function endOf(
  child: ChildProcess,
  api: RuntimeApi,
  temporaryDirectory: string,
  onEnd: (how: string) => void,
): Promise<void> {
  const how = await new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) =>
      resolve(signal ? `signal: ${signal}` : `error: exit status ${code}`),
    );
  });
  // What the process started lives on in its group when it ends by itself.
  if (child.pid !== undefined) killProcessTree(child.pid);
  onEnd(how);
  await api.close();
  // A process that is just dying may still write.
  await rm(temporaryDirectory, { recursive: true, force: true, maxRetries: 5 });
}
