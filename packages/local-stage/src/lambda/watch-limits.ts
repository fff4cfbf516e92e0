import type { FunctionPlan } from '../template/stage-plan.ts';
import type { FunctionError } from './runtime-api.ts';
import { allocatedBytes, processUsage } from './sandbox-usage.ts';

/** Lambda's quota for processes and threads together. */
const maxThreads = 1024;

const memoryIntervalMs = 100;
const storageIntervalMs = 1000;
const mb = 1024 * 1024;

export type WatchedSandbox = {
  pid: number;
  plan: Pick<FunctionPlan, 'memoryMb' | 'storageMb'>;
  temporaryDirectory: string;
  /** An idle sandbox is not watched: on Lambda it is frozen. */
  isIdle: () => boolean;
  /** Called once, with the error of the invocation and a line for the log. */
  onExceeded: (error: FunctionError, line: string) => void;
};

/**
 * Watches the memory and threads of a sandbox ten times a second, and its `/tmp` once a second. Returns a function that
 * ends it.
 */
export function watchLimits({ pid, plan, temporaryDirectory, isIdle, onExceeded }: WatchedSandbox): () => void {
  const stop = () => {
    clearInterval(processes);
    clearInterval(storage);
  };
  const exceeded = (errorType: string, reason: string) => {
    stop();
    const errorMessage = 'Runtime exited with error: signal: killed';
    onExceeded({ errorType, errorMessage }, `${errorMessage} ${errorType} (${reason})`);
  };
  let samplesAbove = 0;
  const processes = setInterval(() => {
    if (isIdle()) return;
    const { residentBytes, threads } = processUsage(pid);
    // Between fork and exec the pages of a process count twice.
    samplesAbove = residentBytes > plan.memoryMb * mb ? samplesAbove + 1 : 0;
    if (samplesAbove === 2) {
      const used = Math.ceil(residentBytes / mb);
      exceeded('Runtime.OutOfMemory', `Memory Size: ${plan.memoryMb} MB, Memory Used: ${used} MB`);
    } else if (threads > maxThreads) {
      exceeded('Runtime.ExitError', `${threads} processes and threads; Lambda allows ${maxThreads}`);
    }
  }, memoryIntervalMs).unref();
  const storage = setInterval(async () => {
    if (isIdle()) return;
    const bytes = await allocatedBytes(temporaryDirectory);
    if (bytes <= plan.storageMb * mb) return;
    const used = Math.ceil(bytes / mb);
    exceeded('Runtime.ExitError', `/tmp has ${used} MB; EphemeralStorage allows ${plan.storageMb} MB`);
  }, storageIntervalMs).unref();
  return stop;
}
