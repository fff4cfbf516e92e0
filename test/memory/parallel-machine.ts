import type { ChunkedExecutionInput, ParallelMachine } from '../../core/chunking/ports.ts';

/** A state machine whose executions run until they are stopped. */
export function memoryParallelMachine(): ParallelMachine & {
  running: Map<string, ChunkedExecutionInput | undefined>;
} {
  const running = new Map<string, ChunkedExecutionInput | undefined>();
  return {
    running,
    start: async ({ name, input }) => void running.set(name, input),
    stop: async (name) => void running.delete(name),
    isRunning: async (name) => running.has(name),
  };
}
