import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { timedSleep } from './context/timed-sleep.ts';
import { run } from './run.ts';

const interruption = new AbortController();
// `once`, so that a second Ctrl-C ends the process at once.
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interruption.abort());

function onClosedPipe(stream: NodeJS.WriteStream, callback: () => void): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    callback();
  });
}
// The reader of the result has closed it, as `head` does: stop. A closed standard error loses only notes: continue.
onClosedPipe(process.stdout, () => process.exit());
onClosedPipe(process.stderr, () => undefined);

process.exitCode = await run(process.argv.slice(2), {
  environment: process.env,
  workingDirectory: process.cwd(),
  out: process.stdout,
  err: process.stderr,
  signal: interruption.signal,
  sleep: timedSleep,
  now: Date.now,
  newId: randomUUID,
  readStandardInput: () => text(process.stdin),
});
