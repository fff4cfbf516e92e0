import { type JoinCommands, joinCommands } from '../../../src/chunking/commands/join-commands.ts';
import { taskCommand } from '../../../src/chunking/commands/task-command.ts';
import type { ChunkedWork } from '../../../src/chunking/plan/chunk-plan.ts';
import { chunkTasks } from '../../../src/chunking/plan/chunk-tasks.ts';
import { argumentTexts, type Command } from '../../../src/media/ffmpeg/command.ts';

type Options = { isRemote?: boolean; threads?: number; overlay?: string };

/** The commands of all chunk tasks and of the join; paths tell task and file by their numbers. */
export function allCommands(
  work: ChunkedWork,
  options: Options = {},
): { chunks: Command[]; audio: Command | undefined; join: JoinCommands } {
  const pathOf = (task: number, file: number) => `/work/${task}-${file}`;
  const commands = chunkTasks(work).map((task, number) => ({
    kind: task.kind,
    command: taskCommand(work, task, { sources: ['/in'], ...options, outputPath: (file) => pathOf(number, file) }),
  }));
  return {
    chunks: commands.filter(({ kind }) => kind === 'chunk').map(({ command }) => command),
    audio: commands.find(({ kind }) => kind === 'audio')?.command,
    join: joinCommands(work, { taskFile: pathOf, directory: '/out', ...options }),
  };
}

/** The input options, inputs and output arguments of a command. */
export function commandLine(command: Command | undefined): string {
  const { inputs = [], outputArguments = [] } = command ?? {};
  const inputArguments = inputs.flatMap(({ path, options = [] }) => [...options, '-i', path]);
  return [...inputArguments, ...argumentTexts(outputArguments)].join(' ');
}
