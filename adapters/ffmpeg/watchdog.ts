import { readFileSync } from 'node:fs';
import type { RunningProcess } from './process.ts';

/** Why the watchdog ended a program, and the limit in seconds that it exceeded. */
export type Termination = { reason: 'timeLimit' | 'stall'; seconds: number };

export type Watchdog = {
  /** Resets the stall timer. */
  reportProgress(): void;
  /** Stops watching. Returns the termination if the watchdog ended the program. */
  stop(): Termination | undefined;
};

/** A program that uses less than this share of one CPU counts as idle. */
const minWorkingShare = 0.02;

// Linux counts 100 ticks per second on every architecture that Lambda or Node supports.
const ticksPerSecond = 100;

/**
 * Ends a program that is aborted, exceeds its time limit or stalls. A stall is `stallSeconds` without progress and
 * without CPU use: an exact seek may decode for minutes before the first frame is written.
 */
export function startWatchdog(
  process: RunningProcess,
  options: { signal: AbortSignal; timeLimitSeconds: number; stallSeconds: number; graceSeconds: number },
): Watchdog {
  const { signal, timeLimitSeconds, stallSeconds, graceSeconds } = options;
  let termination: Termination | undefined;
  let killTimer: NodeJS.Timeout | undefined;
  const terminate = () => {
    process.kill('SIGTERM');
    killTimer ??= setTimeout(() => process.kill('SIGKILL'), graceSeconds * 1000);
  };
  const timeLimit = setTimeout(() => {
    termination ??= { reason: 'timeLimit', seconds: timeLimitSeconds };
    terminate();
  }, timeLimitSeconds * 1000);
  const stall = detectStall(process, stallSeconds, () => {
    termination ??= { reason: 'stall', seconds: stallSeconds };
    process.kill('SIGKILL');
  });
  signal.addEventListener('abort', terminate, { once: true });
  if (signal.aborted) terminate();
  return {
    reportProgress: stall.reportProgress,
    stop() {
      clearTimeout(timeLimit);
      clearTimeout(killTimer);
      stall.stop();
      signal.removeEventListener('abort', terminate);
      return termination;
    },
  };
}

function detectStall({ pid }: RunningProcess, stallSeconds: number, onStall: () => void) {
  const usedCpuSeconds = () => (pid === undefined ? 0 : (readCpuSeconds(pid) ?? 0));
  const intervalMs = (stallSeconds * 1000) / 10;
  let lastProgressMs = performance.now();
  let lastUsed = usedCpuSeconds();
  const timer = setInterval(() => {
    const share = (usedCpuSeconds() - lastUsed) / (intervalMs / 1000);
    lastUsed = usedCpuSeconds();
    if (share > minWorkingShare) lastProgressMs = performance.now();
    if (performance.now() - lastProgressMs >= stallSeconds * 1000) onStall();
  }, intervalMs);
  return {
    reportProgress: () => {
      lastProgressMs = performance.now();
    },
    stop: () => clearInterval(timer),
  };
}

/** CPU seconds of a process over all threads; undefined where `/proc` does not exist. */
function readCpuSeconds(pid: number): number | undefined {
  try {
    // The second field is the program's name in parentheses, which may contain any character.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
  } catch {
    return undefined;
  }
}
