import { CommanderError } from 'commander';
import type { ProcessContext, RunAction } from './context/command-context.ts';
import { createContext } from './context/create-context.ts';
import { type ExitName, exitCodes } from './exit-codes.ts';
import { reportFailure, toFailure } from './failure.ts';
import { createProgram } from './program.ts';

/**
 * Runs one command line.
 *
 * @param args without the paths of node and the program
 * @returns the exit code
 */
export async function run(args: readonly string[], processContext: ProcessContext): Promise<number> {
  const isJson = args.includes('--json');
  const context = createContext(processContext, { isJson });
  let exit: ExitName = 'ok';
  const runAction: RunAction =
    (action) =>
    async (...actionArgs) => {
      exit = (await action(context, ...actionArgs)) ?? 'ok';
    };
  const { out, err, signal } = processContext;
  const output = { writeOut: (text: string) => out.write(text), writeErr: (text: string) => err.write(text) };
  const program = createProgram(runAction, { programName: context.programName, output });
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCodes[exit].code;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.ok.code;
    // Without a command, commander has printed the help already.
    if (error instanceof CommanderError && error.code === 'commander.help') return exitCodes.usage.code;
    const failure = signal.aborted ? interruption : toFailure(error);
    reportFailure(failure, { ...processContext, isJson, failureHint: context.failureHint() });
    return exitCodes[failure.exit].code;
  }
}

const interruption = {
  exit: 'interrupted',
  code: 'INTERRUPTED',
  message: 'Interrupted.',
  retryable: false,
} as const;
