import { cpuSeconds } from './cpu-time.ts';
import type { RunningProcess } from './process.ts';

export type EndReason = { reason: 'timeLimit' | 'stall'; seconds: number };

export type Watchdog = {
  /** Says that the program got further. */
  reportProgress(): void;
  /** Ends the watch and says why it ended the program, if it did. */
  stop(): EndReason | undefined;
};

// Below a fiftieth of one processor a program is only reporting, not working.
const workingShare = 0.02;

/**
 * Ends a program that is told to stop, takes too long, or stands still: no advance and no work for `stallSeconds`.
 * Work counts, since an exact seek may decode for minutes before the first frame comes out.
 */
export function startWatchdog(
  process: RunningProcess,
  options: { signal: AbortSignal; timeLimitSeconds: number; stallSeconds: number; graceSeconds: number },
): Watchdog {
  const { signal, timeLimitSeconds, stallSeconds, graceSeconds } = options;
  let termination: EndReason | undefined;
  let killTimer: NodeJS.Timeout | undefined;
  const terminate = () => {
    process.kill('SIGTERM');
    killTimer ??= setTimeout(() => process.kill('SIGKILL'), graceSeconds * 1000);
  };
  const timeLimit = setTimeout(() => {
    termination ??= { reason: 'timeLimit', seconds: timeLimitSeconds };
    terminate();
  }, timeLimitSeconds * 1000);
  const stall = watchForStall(process, stallSeconds, () => {
    termination ??= { reason: 'stall', seconds: stallSeconds };
    process.kill('SIGKILL');
  });
  signal.addEventListener('abort', terminate, { once: true });
  if (signal.aborted) terminate();
  return {
    reportProgress: stall.advanced,
    stop() {
      clearTimeout(timeLimit);
      clearTimeout(killTimer);
      stall.stop();
      signal.removeEventListener('abort', terminate);
      return termination;
    },
  };
}

function watchForStall({ pid }: RunningProcess, stallSeconds: number, onStall: () => void) {
  const used = () => (pid === undefined ? 0 : (cpuSeconds(pid) ?? 0));
  const checkMilliseconds = (stallSeconds * 1000) / 10;
  let lastAdvance = performance.now();
  let lastUsed = used();
  const timer = setInterval(() => {
    const share = (used() - lastUsed) / (checkMilliseconds / 1000);
    lastUsed = used();
    if (share > workingShare) lastAdvance = performance.now();
    if (performance.now() - lastAdvance >= stallSeconds * 1000) onStall();
  }, checkMilliseconds);
  return {
    advanced: () => {
      lastAdvance = performance.now();
    },
    stop: () => clearInterval(timer),
  };
}
