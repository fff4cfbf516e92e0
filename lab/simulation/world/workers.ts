import type { SecondRun } from '../../../core/chunked/run-task-message.ts';
import type { JobRef } from '../../../core/jobs/ports.ts';
import { encodeChunk } from '../../../functions/encode-chunk/app.ts';
import { finishChunkedJob } from '../../../functions/join-chunks/app.ts';
import { transcodeDelegated, transcodeNext } from '../../../test/builders/jobs/transcode-next.ts';
import type { FargateTask } from './fargate-executions.ts';
import { invoke } from './invocation.ts';
import type { Invocation, Outcome } from './invocation-types.ts';
import type { ChunkWorkers } from './parallel-executions.ts';
import type { Consumer } from './queue.ts';
import type { Services } from './services.ts';
import type { TaskWorker } from './task-queue.ts';
import { workerPorts } from './worker-ports.ts';

/** The time-out in lib/, after which the platform kills a function, and the reserve of the handlers. */
const timeoutMs = 900_000;
const reserveMs = 30_000;

/** The time of a Fargate task, and that of its start, after which Step Functions stops it. */
const fargateMs = 12 * 3_600_000;
const fargateStartMs = 30 * 60_000;

type Ports = ReturnType<typeof workerPorts>;
type Task = { jobId: string };
type Main = (invocation: Invocation, deadline: Date) => Promise<unknown>;
type App<T extends Task> = (
  ports: Ports,
) => (task: T, deadline: Date, secondRun: SecondRun | undefined) => Promise<unknown>;

/** The functions that work on media, as their queues call them. */
export function workersOf(services: () => Services): ChunkWorkers & {
  transcode: Consumer<JobRef>;
  fargateTask: FargateTask;
} {
  const run = <T extends Task>(
    name: string,
    { task, main, onEnd }: { task: T; main: Main; onEnd: (outcome: Outcome<unknown>) => void },
  ) => {
    const { world } = services();
    const deadline = new Date(world.scheduler.now() + timeoutMs - reserveMs);
    invoke(world, {
      app: name,
      jobId: task.jobId,
      timeoutMs,
      main: (invocation) => main(invocation, deadline),
      onEnd,
    });
  };
  const taskWorker =
    <T extends Task>(name: string, app: App<T>): TaskWorker<T> =>
    (task, wrap, onEnd) => {
      const main: Main = (invocation, deadline) =>
        wrap(invocation, (secondRun) => app(workerPorts(services(), invocation))(task, deadline, secondRun));
      run(name, { task, main, onEnd });
    };
  const fargateTask: FargateTask = (input, stopped, onEnd) => {
    const { world } = services();
    const deadline = new Date(world.scheduler.now() + fargateMs);
    invoke(world, {
      app: 'fargate-task',
      jobId: input.jobId,
      timeoutMs: fargateMs + fargateStartMs,
      main: (invocation) => transcodeDelegated(workerPorts(services(), invocation), input, { deadline, stopped }),
      onEnd,
    });
  };
  return {
    transcode: (task, onEnd) => {
      const main: Main = (invocation, deadline) => transcodeNext(workerPorts(services(), invocation), task, deadline);
      run('transcode', { task, main, onEnd });
    },
    fargateTask,
    encodeChunk: taskWorker('encode-chunk', encodeChunk),
    joinChunks: taskWorker('join-chunks', finishChunkedJob),
  };
}
