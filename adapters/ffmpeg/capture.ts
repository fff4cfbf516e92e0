import { logTail } from './log-tail.ts';
import { type Exit, type ProgramCall, startProcess } from './process.ts';
import { type EndReason, startWatchdog } from './watchdog.ts';

const answerBytes = 4 * 1024 * 1024;
const logBytes = 64 * 1024;

export type CapturedOutput = Exit & { termination?: EndReason; stdout: string; log: string };

/** Runs a short program and keeps what it says; an answer above 4 MiB is cut off and the program ended. */
export async function captureOutput(
  call: ProgramCall,
  options: { signal: AbortSignal; timeLimitSeconds: number; graceSeconds: number },
): Promise<CapturedOutput> {
  options.signal.throwIfAborted();
  const process = startProcess(call);
  const watching = startWatchdog(process, { ...options, stallSeconds: options.timeLimitSeconds });
  const log = logTail(logBytes);
  process.stderr.on('data', log.add);
  const chunks: Buffer[] = [];
  let bytes = 0;
  process.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > answerBytes) process.kill('SIGKILL');
    else chunks.push(chunk);
  });
  const exit = await process.ended;
  const termination = watching.stop();
  options.signal.throwIfAborted();
  return { ...exit, termination, stdout: Buffer.concat(chunks).toString('utf8'), log: log.text() };
}
