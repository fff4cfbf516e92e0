import { createInterface } from 'node:readline';
import { logTail } from './log-tail.ts';
import { type Exit, type ProgramCall, startProcess } from './process.ts';
import { type EndReason, startWatchdog } from './watchdog.ts';

const logBytes = 64 * 1024;

/** Runs a program and hands over what it says line by line, so that memory does not grow with the answer. */
export async function readLines(
  call: ProgramCall,
  options: { signal: AbortSignal; timeLimitSeconds: number; graceSeconds: number },
  onLine: (line: string) => void,
): Promise<Exit & { termination?: EndReason; log: string }> {
  options.signal.throwIfAborted();
  const process = startProcess(call);
  const watching = startWatchdog(process, { ...options, stallSeconds: options.timeLimitSeconds });
  const log = logTail(logBytes);
  process.stderr.on('data', log.add);
  const lines = createInterface({ input: process.stdout, crlfDelay: Number.POSITIVE_INFINITY });
  lines.on('line', onLine);
  const exit = await process.ended;
  const termination = watching.stop();
  options.signal.throwIfAborted();
  return { ...exit, termination, log: log.text() };
}
