import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { run } from './run.ts';

const interruption = new AbortController();
// Once: a second Ctrl-C ends the program at once.
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interruption.abort());

// Whoever read the answer has seen enough of it.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

process.exitCode = await run(process.argv.slice(2), {
  environment: process.env,
  workingDirectory: process.cwd(),
  out: process.stdout,
  err: process.stderr,
  signal: interruption.signal,
  pause: (milliseconds, signal) => wait(milliseconds, undefined, { signal }),
  now: Date.now,
  newId: randomUUID,
});
