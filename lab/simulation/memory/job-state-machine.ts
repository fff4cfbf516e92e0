import type { ChunkedExecutionInput } from '../../../core/jobs/chunked-ports.ts';
import type { JobStateMachine } from '../../../core/jobs/ports.ts';

/** A state machine whose executions run until they are stopped. */
export function memoryJobStateMachine<Input = ChunkedExecutionInput>(): JobStateMachine<Input> & {
  running: Map<string, Input | undefined>;
} {
  const running = new Map<string, Input | undefined>();
  return {
    running,
    start: async ({ name, input }) => void running.set(name, input),
    stop: async (name) => void running.delete(name),
    isRunning: async (name) => running.has(name),
  };
}
