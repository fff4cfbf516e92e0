import { chunkSettingsSchema } from '@media-jobs/video/chunking';
import type { SecondRun } from '../../../core/chunked/run-task-message.ts';
import { poolClaimSeconds } from '../../../core/jobs/job-queue.ts';
import type { JobRef } from '../../../core/jobs/ports.ts';
import { encodeChunk } from '../../../functions/encode-chunk/app.ts';
import { poolChunking, runSlot } from '../../../functions/fargate-task/run-slot.ts';
import { finishChunkedJob } from '../../../functions/join-chunks/app.ts';
import { claimEconomyJob } from '../../../functions/open-job/claim-job.ts';
import { transcodeDelegated, transcodeNext } from '../../../test/builders/jobs/transcode-next.ts';
import type { FargateTask } from './fargate-executions.ts';
import { invoke } from './invocation.ts';
import type { Invocation, Outcome } from './invocation-types.ts';
import type { ChunkWorkers } from './parallel-executions.ts';
import type { PoolSlot, PoolTask } from './pool-executions.ts';
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
  poolSlot: PoolSlot;
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
    poolSlot: (task, onEnd) => {
      const { world } = services();
      const main = (invocation: Invocation) => runPoolSlot(services(), invocation, task);
      invoke(world, { app: 'pool-task', timeoutMs: task.killedAfterMs, main, onEnd });
    },
    encodeChunk: taskWorker('encode-chunk', encodeChunk),
    joinChunks: taskWorker('join-chunks', finishChunkedJob),
  };
}

/** Runs a slot of a task of the pool. An interruption is a fault of the job that the slot has. */
async function runPoolSlot(services: Services, invocation: Invocation, { stopped, busy }: PoolTask): Promise<void> {
  const { world } = services;
  const { app, id: invocationId } = invocation;
  const ports = workerPorts(services, invocation);
  const note = () => {
    const { jobId } = invocation;
    if (jobId !== undefined)
      world.log({ kind: 'fault', fault: 'interrupted', app, invocation: invocationId, effect: '', jobId });
  };
  stopped.addEventListener('abort', note);
  let claimedAt = 0;
  const slot = {
    ...ports,
    kind: 'task' as const,
    isPool: true,
    chunking: poolChunking(chunkSettingsSchema.parse({}), ports.processors),
    openNext: async () => {
      claimedAt = world.scheduler.now();
      const job = await claimEconomyJob(ports, 'spot');
      // The task was stopped during the claim.
      if (stopped.aborted) note();
      return job;
    },
    busy,
    onProcessed: () => {
      const { jobId = '' } = invocation;
      world.log({ kind: 'ended', app, invocation: invocationId, jobId, ms: world.scheduler.now() - claimedAt });
      invocation.claimed(undefined);
    },
    onFailure: () => invocation.claimed(undefined),
  };
  const endsAt = new Date(world.scheduler.now() + poolClaimSeconds * 1_000);
  await runSlot(slot, { endsAt, maxJobMs: fargateMs, stopped });
}
