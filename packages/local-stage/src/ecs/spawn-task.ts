import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { serviceEnvironment } from '../lambda/sandbox-environment.ts';
import type { Log } from '../log.ts';
import type { Endpoints } from '../template/resource-kind.ts';
import type { TaskDefinitionPlan } from '../template/task-definition-plan.ts';

export type SpawnTaskOptions = {
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
export function spawnTask(options: SpawnTaskOptions): ChildProcess {
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
export function taskDirectory(root: string, id: string): string {
  return join(root, `task-${id}`);
}
