import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Fault } from '@media-jobs/local-stage/emulators';
import { synthesize } from '../../lib/build/synthesize.ts';
import type { HostCommand, HostReport } from './host-messages.ts';

/** A stage in a process of its own. `crash` replaces it by a new process with another address on the same data. */
export type HostedStage = {
  baseUrl(): string;
  apiKey(): string;
  /** The key of one of the other owners. Throws Error if the stage was not started with it. */
  keyOf(owner: string): string;
  functions(): string[];
  /** Makes an emulator fail; the returned function repairs it. */
  fail(fault: Fault): () => void;
  killSandboxes(functionName: string): void;
  /** Kills the process with SIGKILL and starts the next. */
  crash(): Promise<void>;
  stop(): Promise<void>;
};

/**
 * @param owners those that get a key besides the owner of the first key
 * @param environment variables of all functions
 */
export async function startHostedStage(
  dataDirectory: string,
  owners: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<HostedStage> {
  const { assemblyDirectory } = await synthesize({ stage: 'local' });
  const options = [assemblyDirectory, dataDirectory, JSON.stringify(environment), ...owners];
  let host = await startHost(options);
  let faults = 0;
  const order = (one: HostCommand) => {
    if (host.process.connected) host.process.send(one);
  };
  return {
    baseUrl: () => host.report.baseUrl,
    apiKey: () => host.report.apiKey,
    keyOf: (owner) => {
      const key = host.report.keys[owner];
      if (key === undefined) throw new Error(`The stage has no key of ${owner}`);
      return key;
    },
    functions: () => host.report.functions,
    fail: (fault) => {
      const id = ++faults;
      order({ kind: 'fail', id, fault });
      return () => order({ kind: 'mend', id });
    },
    killSandboxes: (functionName) => order({ kind: 'kill', functionName }),
    crash: async () => {
      const exited = once(host.process, 'exit');
      host.process.kill('SIGKILL');
      await exited;
      host = await startHost(options);
    },
    stop: async () => {
      const exited = once(host.process, 'exit');
      order({ kind: 'stop' });
      await exited;
    },
  };
}

type Host = { process: ChildProcess; report: HostReport };

const linesKept = 40;

async function startHost(options: string[]): Promise<Host> {
  const program = join(import.meta.dirname, 'host.ts');
  const child = fork(program, options, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  const lines: string[] = [];
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    lines.push(text);
    lines.splice(0, lines.length - linesKept);
  });
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`The stage exited with code ${code} during its start:\n${lines.join('')}`);
  });
  const [report] = await Promise.race([once(child, 'message'), failed]);
  failed.catch(() => undefined);
  return { process: child, report: report as HostReport };
}
