import { createInterface } from 'node:readline';
import { logTail } from './log-tail.ts';
import { type Exit, type ProgramCall, startProcess } from './process.ts';
import { type EndReason, watch } from './watch.ts';

const logBytes = 64 * 1024;

/** Runs a program and hands over what it says line by line, so that memory does not grow with the answer. */
export async function readLines(
  call: ProgramCall,
  options: { signal: AbortSignal; timeLimitSeconds: number; graceSeconds: number },
  onLine: (line: string) => void,
): Promise<Exit & { endedBy?: EndReason; log: string }> {
  options.signal.throwIfAborted();
  const process = startProcess(call);
  const watching = watch(process, { ...options, stallSeconds: options.timeLimitSeconds });
  const log = logTail(logBytes);
  process.stderr.on('data', log.add);
  const lines = createInterface({ input: process.stdout, crlfDelay: Number.POSITIVE_INFINITY });
  lines.on('line', onLine);
  const exit = await process.ended;
  const endedBy = watching.stop();
  options.signal.throwIfAborted();
  return { ...exit, endedBy, log: log.text() };
}
