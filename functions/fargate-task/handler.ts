import { availableParallelism } from 'node:os';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { chunkSettingsSchema } from '@media-jobs/video/chunking';
import * as z from 'zod';
import { outlastOutages } from '../../adapters/runtime/clients/client-settings.ts';
import { readEnv } from '../../adapters/runtime/env.ts';
import { logFailure, logger, startInvocationLog } from '../../adapters/runtime/logger.ts';
import { leaseChanged, openJob } from '../../adapters/runtime/open-job.ts';
import { rangeProxies } from '../../adapters/runtime/range-proxies.ts';
import { wholeJobEnvSchema, wholeJobPorts } from '../../adapters/runtime/whole-job-ports.ts';
import { newId } from '../../adapters/system/clock.ts';
import { poolClaimSeconds } from '../../core/jobs/job-queue.ts';
import { type PoolCapacity, poolCapacities } from '../../core/jobs/queues.ts';
import { jsonText } from '../../core/json-text.ts';
import { poolSlots } from '../../core/pricing/fargate-computer.ts';
import { transcode } from '../transcode/transcode.ts';
import { poolChunking, runSlot, takeOverJob } from './run-slot.ts';

/** Limits come from the task definition, the job or the capacity of the pool from the state machine. */
const env = readEnv(
  wholeJobEnvSchema.extend({
    CHUNKING_SETTINGS: jsonText(chunkSettingsSchema),
    FARGATE_MAX_SECONDS: z.coerce.number().int().min(1),
    FARGATE_VCPUS: z.coerce.number().positive(),
    FARGATE_MEMORY_MB: z.coerce.number().int().min(1),
    /** Set for a task of the pool. Any other task has one job. */
    POOL_CAPACITY: z.enum(poolCapacities).optional(),
  }),
);

const jobEnvSchema = z.object({ OWNER_ID: z.string(), JOB_ID: z.string(), LEASE_ID: z.string() });

/** ECS sends SIGTERM before it kills a task: when its execution is stopped, or Spot capacity is taken back. */
const stopped = new AbortController();
const stop = () => stopped.abort(new Error('ECS stops the task'));
if (isMainThread) process.once('SIGTERM', stop);

/** A slot of the pool has a share of the task. On a machine with fewer processors, such as a laptop, there are fewer slots. */
const slots = env.POOL_CAPACITY === undefined ? 1 : Math.min(poolSlots, Math.ceil(availableParallelism() / 2));
const { bucket, ...encodeDeps } = wholeJobPorts(
  { ...env, MAX_DOWNLOAD_BYTES: Math.floor(env.MAX_DOWNLOAD_BYTES / slots) },
  {
    vcpus: env.FARGATE_VCPUS / slots,
    cpuCount: Math.ceil(env.FARGATE_VCPUS),
    memoryMb: Math.floor(env.FARGATE_MEMORY_MB / slots),
  },
);
const deps = {
  kind: 'task' as const,
  ...encodeDeps,
  openRangeProxy: rangeProxies(bucket, env.TABLE_NAME),
  chunking: env.CHUNKING_SETTINGS,
};

const maxJobMs = env.FARGATE_MAX_SECONDS * 1000;

async function processJob(): Promise<void> {
  const { OWNER_ID: ownerId, JOB_ID: jobId, LEASE_ID: leaseId } = readEnv(jobEnvSchema);
  const input = { ownerId, jobId, leaseId };
  startInvocationLog({ awsRequestId: newId() }, { ownerId, jobId });
  const deadline = new Date(Date.now() + maxJobMs);
  outlastOutages(deadline);
  const take = async () => {
    if ((await openJob({ lease: input })) === undefined) return undefined;
    const job = await takeOverJob(deps, input);
    if (job !== undefined) leaseChanged(job);
    return job;
  };
  const result = await logFailure(() => transcode(deps, { take, deadline, stopped: stopped.signal }));
  logger.info('Job processed', { result });
}

/** Each slot is a thread: the clients of a thread have the credentials of one job. Rejects once a thread has failed. */
async function startSlots(): Promise<void> {
  const busy = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  // The options of this process take its credentials from a pipe, which is read; the threads have its environment.
  const threads = Array.from(
    { length: slots },
    () => new Worker(process.argv[1] ?? '', { execArgv: [], workerData: { busy } }),
  );
  stopped.signal.addEventListener('abort', () => {
    for (const thread of threads) thread.postMessage('stop');
  });
  await Promise.all(
    threads.map(
      (thread) =>
        new Promise<void>((resolve, reject) => {
          thread.once('error', reject);
          thread.once('exit', () => resolve());
        }),
    ),
  );
}

async function processPool(capacity: PoolCapacity, shared: SharedArrayBuffer): Promise<void> {
  parentPort?.once('message', stop);
  // The thread ends with its slot.
  parentPort?.unref();
  startInvocationLog({ awsRequestId: newId() });
  const endsAt = new Date(Date.now() + 1000 * poolClaimSeconds);
  outlastOutages(new Date(endsAt.getTime() + maxJobMs));
  const count = new Int32Array(shared);
  const slot = {
    ...deps,
    isPool: true,
    chunking: poolChunking(deps.chunking, deps.processors),
    openNext: async () => {
      const job = await openJob({ pool: capacity });
      if (job !== undefined) startInvocationLog({ awsRequestId: newId() }, { ownerId: job.ownerId, jobId: job.jobId });
      return job;
    },
    busy: { add: (change: 1 | -1) => void Atomics.add(count, 0, change), isAny: () => Atomics.load(count, 0) > 0 },
    onProcessed: (result: string) => logger.info('Job processed', { result }),
    onFailure: (error: unknown) => logger.error('A slot of the pool has failed', { error }),
  };
  await logFailure(() => runSlot(slot, { endsAt, maxJobMs, stopped: stopped.signal }));
  logger.info(stopped.signal.aborted ? 'The task is stopped' : 'No economy job waits');
}

function main(): Promise<void> {
  if (env.POOL_CAPACITY === undefined) return processJob();
  return isMainThread ? startSlots() : processPool(env.POOL_CAPACITY, workerData.busy);
}

// A task that failed fails its execution, which raises the alarm.
main().catch(() => {
  process.exitCode = 1;
});
