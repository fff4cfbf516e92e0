import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Log } from '../log.ts';
import type { Endpoints } from '../template/resource-kind.ts';
import type { FunctionPlan } from '../template/stage-plan.ts';
import { sandboxEnvironment } from './sandbox-environment.ts';

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

/** Lambda's quota for file descriptors. */
const maxDescriptors = 1024;

/**
 * Starts the process that runs the function, with Lambda's limit of file descriptors. Its output goes to the log.
 *
 * @param runtimeApi host and port of the Runtime API
 */
export function spawnRuntime(
  { plan, endpoints, temporaryDirectory, logStream, preload, log }: SandboxOptions,
  runtimeApi: string,
): ChildProcess {
  // Lambda gives 90 % of the memory to the heap.
  const heapMb = Math.floor(plan.memoryMb * 0.9);
  const child = spawn(
    '/bin/sh',
    [
      '-c',
      // A soft limit would not do: Node raises it to the hard one.
      `ulimit -n ${maxDescriptors} && exec "$@"`,
      'sh',
      ...entryPoint(plan.code, [
        process.execPath,
        `--max-old-space-size=${heapMb}`,
        ...writableOnly(temporaryDirectory),
        // A preloaded module may measure the function.
        ...(preload === undefined ? [] : ['--allow-inspector', '--import', preload]),
      ]),
      join(import.meta.dirname, 'bootstrap.cjs'),
      plan.code.handler,
    ],
    {
      cwd: plan.code.directory,
      // Its own process group, so that one signal reaches all children.
      detached: true,
      env: sandboxEnvironment({ plan, endpoints, runtimeApi, temporaryDirectory, logStream }),
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  );
  for (const output of [child.stdout, child.stderr]) {
    createInterface({ input: output }).on('line', (line) => log(`function ${plan.name}`, line));
  }
  return child;
}

/** The command that starts Node. In the image of the workers, the entry point passes the credentials through a pipe. */
function entryPoint({ packageType, directory }: FunctionPlan['code'], node: string[]): string[] {
  const script = join(directory, 'start.sh');
  if (packageType === 'Zip' || !existsSync(script)) return node;
  return ['/bin/sh', script, ...node, '--require', join(directory, 'take-credentials.cjs')];
}

/** Lets the function write nowhere but in `/tmp`. Its child processes are not limited. */
function writableOnly(temporaryDirectory: string): string[] {
  return [
    '--permission',
    '--allow-fs-read=*',
    `--allow-fs-write=${temporaryDirectory}`,
    '--allow-child-process',
    // Native modules, which Lambda runs.
    '--allow-addons',
    // Node warns that child processes are not limited.
    '--disable-warning=SecurityWarning',
  ];
}
