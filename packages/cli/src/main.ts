import { randomUUID } from 'node:crypto';
import { addAbortSignal } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { ProcessContext } from './context/command-context.ts';
import { timedSleep } from './context/timed-sleep.ts';
import { exitCodes } from './exit-codes.ts';
import { reportFailure, toFailure } from './failure.ts';
import { run } from './run.ts';

const interruption = new AbortController();
// `once`, so that a second Ctrl-C ends the process at once.
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interruption.abort());

const args = process.argv.slice(2);
const context: ProcessContext = {
  environment: process.env,
  workingDirectory: process.cwd(),
  out: process.stdout,
  err: process.stderr,
  signal: interruption.signal,
  sleep: timedSleep,
  now: Date.now,
  newId: randomUUID,
  readStandardInput: () => text(addAbortSignal(interruption.signal, process.stdin)),
};

// The reader of the result has closed it, as `head` does: stop. Any other error, such as a full disk, loses the result.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  const failure = toFailure(error);
  reportFailure(failure, { ...context, isJson: args.includes('--json'), failureHint: undefined });
  process.exit(exitCodes[failure.exit].code);
});
// A lost standard error loses only notes: continue.
process.stderr.on('error', () => undefined);

process.exitCode = await run(args, context);
