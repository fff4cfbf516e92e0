import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { killProcessTree } from '../lambda/process-tree.ts';
import { serviceEnvironment } from '../lambda/sandbox-environment.ts';
import { watchLimits } from '../lambda/watch-limits.ts';
import type { Log } from '../log.ts';
import type { Endpoints } from '../template/resource-kind.ts';
import { findTaskDefinition, type TaskDefinitionPlan } from '../template/task-definition-plan.ts';
import type { CredentialsServer } from './credentials-server.ts';

export type TaskRun = {
  /** The family of a task definition, which stands for its latest revision, or the ARN of a revision. */
  taskDefinition: string;
  /** Environment variables of one container, by its name. */
  overrides: { containerName: string; environment: Record<string, string> }[];
  /** In place of the limits of the task definition. */
  size?: { memoryMb?: number | undefined; storageMb?: number | undefined };
};

/** Why a task has stopped. `exitCode` is that of its container: 128 and more for a signal. */
export type StoppedTask = { exitCode: number; reason: string };

/** The Fargate tasks of the stage. Each is a process without a deadline. */
export type Tasks = {
  definitions: readonly TaskDefinitionPlan[];
  /** Runs a task until it stops. When the signal aborts, it gets SIGTERM, and SIGKILL after its stop time-out. */
  run(task: TaskRun, signal: AbortSignal): Promise<StoppedTask>;
  /** Sends a signal to the programs of all running tasks. */
  kill(signal: 'SIGTERM' | 'SIGKILL'): void;
  /** Kills all tasks; resolves when they have ended. */
  stop(): Promise<void>;
};

/** Runs a task in a cluster under the role of a state machine, until it stops. @throws AccessDeniedError */
export type RunTask = (task: TaskRun & { clusterArn: string }, signal: AbortSignal) => Promise<StoppedTask>;

export type TasksOptions = {
  endpoints: Endpoints;
  credentials: CredentialsServer;
  /** Below which each task has its disk. */
  temporaryDirectory: string;
  preload?: string | undefined;
  log: Log;
};

export function stageTasks(definitions: readonly TaskDefinitionPlan[], options: TasksOptions): Tasks {
  const running = new Set<{ pid: number; ended: Promise<unknown> }>();

  async function run({ taskDefinition, overrides, size = {} }: TaskRun, signal: AbortSignal): Promise<StoppedTask> {
    const plan = findTaskDefinition(definitions, taskDefinition);
    if (plan === undefined) throw new Error(`There is no task definition ${taskDefinition}`);
    const directory = taskDirectory(options.temporaryDirectory, randomUUID());
    await mkdir(directory, { recursive: true });
    const credentials = options.credentials.serve(plan.taskRoleArn);
    const environment = overrides
      .filter(({ containerName }) => containerName === plan.containerName)
      .map((override) => override.environment);
    const child = spawnTask({
      ...options,
      plan,
      environment: Object.assign({}, ...environment),
      credentialsUrl: credentials.url,
      temporaryDirectory: directory,
    });
    const { pid = 0 } = child;
    const ended = new Promise<StoppedTask>((resolve) => {
      child.once('error', (error) => resolve({ exitCode: 127, reason: error.message }));
      child.once('exit', (code, by) =>
        resolve({
          exitCode: code ?? 137,
          reason: by === null ? 'Essential container exited' : `Killed by ${by}`,
        }),
      );
    });
    const entry = { pid, ended };
    running.add(entry);
    const unwatch = watchLimits({
      pid,
      plan: { ...plan, memoryMb: size.memoryMb ?? plan.memoryMb, storageMb: size.storageMb ?? plan.storageMb },
      temporaryDirectory: directory,
      isIdle: () => false,
      onExceeded: (_, line) => {
        options.log(`task ${plan.name}`, line);
        killProcessTree(pid);
      },
    });
    let timer: NodeJS.Timeout | undefined;
    const stop = () => {
      child.kill('SIGTERM');
      timer = setTimeout(() => killProcessTree(pid), plan.stopSeconds * 1000);
    };
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    try {
      return await ended;
    } finally {
      signal.removeEventListener('abort', stop);
      clearTimeout(timer);
      unwatch();
      credentials.end();
      running.delete(entry);
      // Children survive in the process group when the process exits by itself.
      killProcessTree(pid);
      await rm(directory, { recursive: true, force: true, maxRetries: 5 });
    }
  }

  return {
    definitions,
    run,
    kill(by) {
      for (const { pid } of running) process.kill(pid, by);
    },
    async stop() {
      for (const { pid } of running) killProcessTree(pid);
      await Promise.all([...running].map(({ ended }) => ended));
    },
  };
}

type SpawnTaskOptions = {
  plan: TaskDefinitionPlan;
  /** Of the task's override, which take precedence. */
  environment: Record<string, string>;
  endpoints: Endpoints;
  /** Where the task finds the credentials of its role. */
  credentialsUrl: string;
  temporaryDirectory: string;
  /** Path of a module to load before the program. */
  preload?: string | undefined;
  log: Log;
};

/** The folder of the functions in the image. */
const imageRoot = '/var/task';

/** Starts the container of a task as a process of this machine. Its output goes to the log. */
function spawnTask(options: SpawnTaskOptions): ChildProcess {
  const { plan, environment, endpoints, credentialsUrl, temporaryDirectory, preload, log } = options;
  const inFolder = (argument: string) => argument.replace(imageRoot, plan.directory);
  const node = [process.execPath, ...(preload === undefined ? [] : ['--import', preload])];
  const [program = '', ...commandArguments] = plan.command.flatMap((argument) =>
    argument === 'node' ? node : [inFolder(argument)],
  );
  const child = spawn(program, commandArguments, {
    cwd: plan.directory,
    // Its own process group, so that one signal reaches all children.
    detached: true,
    env: {
      ...serviceEnvironment(endpoints, temporaryDirectory),
      ...plan.environment,
      ...environment,
      AWS_CONTAINER_CREDENTIALS_FULL_URI: credentialsUrl,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const output of [child.stdout, child.stderr]) {
    if (output !== null) createInterface({ input: output }).on('line', (line) => log(`task ${plan.name}`, line));
  }
  return child;
}

/** A folder for the disk of a task. */
function taskDirectory(root: string, id: string): string {
  return join(root, `task-${id}`);
}
