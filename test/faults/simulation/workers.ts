import { encodeChunk } from '../../../functions/encode-chunk/app.ts';
import { finishChunkedJob } from '../../../functions/join-chunks/app.ts';
import { transcode } from '../../../functions/transcode/app.ts';
import { invoke } from './invocation.ts';
import type { Invocation, Outcome } from './invocation-types.ts';
import type { ChunkWorkers } from './parallel-executions.ts';
import type { Worker } from './queue.ts';
import type { Services } from './services.ts';
import { workerDeps } from './worker-deps.ts';

/** The time-out in lib/, after which the platform kills a function, and the reserve of the handlers. */
const timeoutMs = 900_000;
const reserveMs = 30_000;

type Ports = ReturnType<typeof workerDeps>;
type Task = { jobId: string };
type App<T extends Task> = (ports: Ports) => (task: T, deadline: Date) => Promise<unknown>;

/** The functions that work on media, as the queue and the state machine call them. */
export function workersOf(services: () => Services): ChunkWorkers & { transcode: Worker } {
  const worker =
    <T extends Task>(name: string, app: App<T>) =>
    (task: T, onEnd: (outcome: Outcome<unknown>) => void) => {
      const { world } = services();
      const main = (invocation: Invocation) => {
        const deadline = new Date(world.scheduler.now() + timeoutMs - reserveMs);
        return app(workerDeps(services(), invocation))(task, deadline);
      };
      invoke(world, { app: name, jobId: task.jobId, timeoutMs, main, onEnd });
    };
  return {
    transcode: worker('transcode', transcode),
    encodeChunk: worker('encode-chunk', encodeChunk),
    joinChunks: worker('join-chunks', finishChunkedJob),
  };
}
