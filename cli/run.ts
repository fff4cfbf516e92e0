import { CommanderError } from 'commander';
import { createContext } from './context/create-context.ts';
import type { ProcessContext } from './context/process-context.ts';
import type { RunAction } from './context/run-action.ts';
import { exitCodes } from './exit-codes.ts';
import { toFailure } from './failure.ts';
import { createProgram } from './program.ts';
import { reportFailure } from './report-failure.ts';

/** Runs one command line, without the names of node and the program, and returns the exit code. */
export async function run(args: readonly string[], surroundings: ProcessContext): Promise<number> {
  const isJson = args.includes('--json');
  const tools = createContext(surroundings, { isJson });
  let exit: keyof typeof exitCodes = 'ok';
  const attend: RunAction =
    (work) =>
    async (...given) => {
      exit = (await work(tools, ...given)) ?? 'ok';
    };
  const { out, err, signal } = surroundings;
  const output = { writeOut: (text: string) => out.write(text), writeErr: (text: string) => err.write(text) };
  const program = createProgram(attend, { programName: tools.programName, output });
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCodes[exit].code;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.ok.code;
    // Without a command the help has been shown, and says it all.
    if (error instanceof CommanderError && error.code === 'commander.help') return exitCodes.usage.code;
    const failure = signal.aborted ? interruption : toFailure(error);
    reportFailure(failure, { ...surroundings, isJson, situation: tools.situation() });
    return exitCodes[failure.exit].code;
  }
}

const interruption = {
  exit: 'interrupted',
  code: 'INTERRUPTED',
  message: 'Interrupted.',
  retryable: false,
} as const;
