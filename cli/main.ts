import { randomUUID } from 'node:crypto';
import { timedPause } from './context/timed-pause.ts';
import { run } from './run.ts';

const interruption = new AbortController();
// Once: a second Ctrl-C ends the program at once.
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interruption.abort());

/** Does something once nobody reads a stream any more. */
function unread(stream: NodeJS.WriteStream, then: () => void): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    then();
  });
}
// Whoever read the answer has seen enough of it; without a reader of the notes there is still an answer.
unread(process.stdout, () => process.exit());
unread(process.stderr, () => undefined);

process.exitCode = await run(process.argv.slice(2), {
  environment: process.env,
  workingDirectory: process.cwd(),
  out: process.stdout,
  err: process.stderr,
  signal: interruption.signal,
  pause: timedPause,
  now: Date.now,
  newId: randomUUID,
});
