import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { usedSeconds } from '../process/processor-time.ts';

/** A program that runs commands, one for each processor at a time. */
export type CommandRunner = { name: string; program: string; args: readonly string[] };

const parallel: CommandRunner = { name: 'GNU parallel', program: 'parallel', args: ['--will-cite'] };

const xargs: CommandRunner = {
  name: 'xargs, since GNU parallel is missing',
  program: 'xargs',
  args: ['-P', String(availableParallelism()), '-d', '\n', '-I', '{}', 'sh', '-c', '{}'],
};

/** GNU parallel where it is installed. */
export function findCommandRunner(): CommandRunner {
  return spawnSync(parallel.program, ['--version']).status === 0 ? parallel : xargs;
}

/** Runs commands; returns the processor seconds of all. This process stands still meanwhile, so that it adds nothing. */
export function commandsSeconds({ name, program, args }: CommandRunner, commands: readonly string[][]): number {
  const input = commands.map((command) => `${command.map(quoted).join(' ')}\n`).join('');
  const before = usedSeconds();
  const { status, stderr } = spawnSync(program, args, { input, maxBuffer: 2 ** 28, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${name} exited with code ${status}: ${stderr.slice(-2_000)}`);
  return usedSeconds() - before;
}

function quoted(argument: string): string {
  return `'${argument.replaceAll("'", "'\\''")}'`;
}
