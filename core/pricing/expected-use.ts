import { joinDiskReason } from '../chunking/assembly/join-disk.ts';
import type { ChunkedWork } from '../chunking/plan/chunk-plan.ts';
import { type ChunkingPolicy, chunkCount, singlePassReason, workOf } from '../chunking/plan/plan-chunks.ts';
import { targetOf } from '../chunking/plan/rate-target.ts';
import type { ChunkSettings } from '../chunking/settings.ts';
import type { PlanCost } from '../cost-model/plan-cost.ts';
import { expectedSeconds, type Processors, spread, wallSeconds } from '../cost-model/processors.ts';
import { type Encoding, encodingsByCodec, isStream } from '../encoding/encoding.ts';
import type { Speed } from '../jobs/speeds.ts';
import type { JobUse } from './cost-of-job.ts';
import { overheadSeconds } from './per-job.ts';

/** Bytes per second between a function and S3 or the internet. Assumed. */
const networkBytesPerSecond = 75e6;

/** What decides how a job is processed. */
export type ExpectedWork = {
  cost: PlanCost;
  /** The encoding of a job that can be split into chunks, and its duration. */
  chunkable?:
    | ({ encoding: Encoding; durationSeconds: number } & Pick<ChunkedWork, 'hasFinalFragments'>)
    | undefined;
  inputBytes: number;
  speed: Speed;
};

export type WorkerStage = {
  processors: Processors;
  chunking: ChunkSettings;
  /** Wall seconds that a function has. */
  timeoutSeconds: number;
  /** The processors of a Fargate task, if the stage has such tasks. */
  fargate?: Processors | undefined;
};

/** The use of a job before it has run, and the wall seconds from its claim to its end. */
export type ExpectedUse = Omit<JobUse, 'reads' | 'downloads'> & {
  seconds: number;
  /** Chunks of the video; 1 for a single pass. */
  chunks: number;
};

/** The expected use of a job. `slowness` multiplies the processor time: 1 for the middle of the estimates. */
export function expectedUse(
  { cost, chunkable, inputBytes, speed }: ExpectedWork,
  { processors, chunking, timeoutSeconds, fargate }: WorkerStage,
  slowness = 1,
): ExpectedUse {
  const { outputBytes } = cost;
  const wallOf = (cpuSeconds: number) => wallSeconds(cpuSeconds * slowness, processors);
  const wholeOf = (on: Processors) => slowness * expectedSeconds(cost, on);
  const transfer = (bytes: number) => bytes / networkBytesPerSecond;
  const before = overheadSeconds + transfer(inputBytes);
  const single = before + wholeOf(processors) + transfer(outputBytes);
  const usual = { attempts: 1, outputs: 1, outputBytes, chunks: 1 };
  const inFunction = { ...usual, workerSeconds: single, seconds: single, tasks: 0, executions: 0 };
  const inFargateTask = (on: Processors) => {
    const fargateSeconds = before + wholeOf(on) + transfer(outputBytes);
    // The function downloads the inputs too, to plan.
    const seconds = before + fargateSeconds;
    return {
      ...usual,
      workerSeconds: before,
      seconds,
      tasks: 0,
      executions: 1,
      fargateTasks: 1,
      fargateSeconds,
    };
  };
  const isTooLong = expectedSeconds(cost, processors) * spread > timeoutSeconds - before;
  const singlePass = fargate !== undefined && isTooLong ? inFargateTask(fargate) : inFunction;
  if (chunkable === undefined) return singlePass;
  const { encoding, durationSeconds } = chunkable;
  const policy: ChunkingPolicy = {
    settings: chunking,
    speed,
    work: { ...workOf(cost, processors), expectedSeconds: wholeOf(processors) },
    remainingSeconds: timeoutSeconds - before,
  };
  if (singlePassReason(encoding, durationSeconds, policy) !== undefined) return singlePass;
  if (isStream(encoding) && joinDiskReason(chunkable, cost) !== undefined) return singlePass;
  const chunks = chunkCount(encoding, durationSeconds, policy);
  const planning = before + wallOf(Math.max(0, cost.cpuSeconds - cost.finalCpuSeconds));
  const encodingSeconds = wallOf(cost.finalCpuSeconds);
  const joinedBytes = chunkable.hasFinalFragments ? 0 : outputBytes;
  const joining = overheadSeconds + 2 * transfer(joinedBytes);
  const tasks = chunks * encodingsByCodec(encoding).length;
  const rounds = Math.ceil(tasks / chunking.maxParallelChunks);
  return {
    ...usual,
    chunks,
    workerSeconds: planning + encodingSeconds + (tasks + 1) * overheadSeconds + joining,
    seconds: planning + rounds * (overheadSeconds + encodingSeconds / tasks) + joining,
    // The chunks, their measurements, the audio and the join.
    tasks: tasks * (targetOf(encoding) ? 2 : 1) + 2,
    executions: 1,
  };
}
