import { CommanderError } from 'commander';
import type { ProcessContext } from './context/command-context.ts';
import { createContext } from './context/create-context.ts';
import { exitCodes } from './exit-codes.ts';
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
  const { out, err, signal } = processContext;
  const output = { writeOut: (text: string) => out.write(text), writeErr: (text: string) => err.write(text) };
  const program = createProgram(context, output);
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCodes[context.outcome.exit].code;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.ok.code;
    // Without a command, commander has printed the help already.
    if (error instanceof CommanderError && error.code === 'commander.help') return exitCodes.usage.code;
    const failure = signal.aborted ? interruption : toFailure(error);
    reportFailure(failure, { ...processContext, isJson, failureHint: context.outcome.failureHint });
    return exitCodes[failure.exit].code;
  }
}

const interruption = {
  exit: 'interrupted',
  code: 'INTERRUPTED',
  message: 'Interrupted.',
  retryable: false,
} as const;
