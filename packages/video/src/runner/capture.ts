import { createInterface } from 'node:readline';
import {
  type Exit,
  type ProcessSettings,
  type ProgramCall,
  type RunningProcess,
  startProcess,
  startWatchdog,
  type Termination,
} from './process.ts';

const maxStdoutBytes = 4 * 1024 * 1024;
const maxLogBytes = 64 * 1024;

export type CaptureOptions = ProcessSettings & { signal: AbortSignal; timeLimitSeconds: number; graceSeconds: number };

/** Exit of a program, its termination by the watchdog if any, and the last 64 KiB of its stderr. */
export type FinishedProgram = Exit & { termination: Termination | undefined; log: string };

/** Runs a short program and returns its stdout. Kills a program that writes more than 4 MiB. */
export async function captureOutput(
  call: ProgramCall,
  options: CaptureOptions,
): Promise<FinishedProgram & { stdout: string }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const finished = await runProgram(call, options, (process) => {
    process.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxStdoutBytes) process.kill('SIGKILL');
      else chunks.push(chunk);
    });
  });
  return { ...finished, stdout: Buffer.concat(chunks).toString('utf8') };
}

/** Runs a program and passes its stdout on line by line, in constant memory. */
export function readLines(
  call: ProgramCall,
  options: CaptureOptions,
  onLine: (line: string) => void,
): Promise<FinishedProgram> {
  return runProgram(call, options, ({ stdout }) => {
    createInterface({ input: stdout, crlfDelay: Number.POSITIVE_INFINITY }).on('line', onLine);
  });
}

async function runProgram(
  call: ProgramCall,
  options: CaptureOptions,
  readStdout: (process: RunningProcess) => void,
): Promise<FinishedProgram> {
  options.signal.throwIfAborted();
  const process = startProcess(call, options);
  const watchdog = startWatchdog(process, { ...options, stallSeconds: options.timeLimitSeconds });
  const log = logTail(maxLogBytes);
  process.stderr.on('data', log.add);
  readStdout(process);
  const exit = await process.ended;
  const termination = watchdog.stop();
  options.signal.throwIfAborted();
  return { ...exit, termination, log: log.text() };
}

/** Keeps the last `maxBytes` of a stream as text, cut at the start of a line. */
export function logTail(maxBytes: number): { add(chunk: Buffer): void; text(): string } {
  let kept: Buffer = Buffer.alloc(0);
  let isCut = false;
  return {
    add(chunk) {
      const all = Buffer.concat([kept, chunk]);
      isCut ||= all.length > maxBytes;
      kept = all.subarray(Math.max(0, all.length - maxBytes));
    },
    text() {
      const text = kept.toString('utf8');
      return isCut ? text.slice(text.indexOf('\n') + 1) : text;
    },
  };
}
