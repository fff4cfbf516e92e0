import { type ChildProcess, spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import type { CliRun } from './run-cli.ts';

const program = `${import.meta.dirname}/../../src/bin.js`;

export type CliProcess = {
  child: ChildProcess;
  /** Resolves once standard error contains the text. */
  waitForStderr(expected: string): Promise<void>;
  ended: Promise<CliRun>;
};

/** Starts the CLI as a process. */
export function cliProcess(
  args: readonly string[],
  { environment = {}, cwd = process.cwd() }: { environment?: Record<string, string>; cwd?: string } = {},
): CliProcess {
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = new Promise<number>((resolve) => {
    child.once('exit', (code) => resolve(code ?? -1));
  });
  let printed = '';
  const listeners = new Set<() => void>();
  child.stderr.on('data', (chunk: Buffer) => {
    printed += chunk;
    for (const listen of listeners) listen();
  });
  const ended = Promise.all([exited, text(child.stdout), text(child.stderr)]);
  return {
    child,
    waitForStderr: (expected) =>
      new Promise((resolve, reject) => {
        const listen = () => printed.includes(expected) && resolve();
        listeners.add(listen);
        listen();
        void ended.then(([code]) =>
          reject(new Error(`It ended with ${code} before it printed "${expected}": ${printed}`)),
        );
      }),
    ended: ended.then(([exitCode, out, err]) => ({ exitCode, out, err })),
  };
}
