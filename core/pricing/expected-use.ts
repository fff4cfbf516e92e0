import { joinDiskReason } from '../chunking/assembly/join-disk.ts';
import type { ChunkedWork } from '../chunking/plan/chunk-plan.ts';
import { type ChunkingPolicy, chunkCount, singlePassReason, workOf } from '../chunking/plan/plan-chunks.ts';
import { targetOf } from '../chunking/plan/rate-target.ts';
import type { ChunkSettings } from '../chunking/settings.ts';
import { chooseWorker } from '../cost-model/choose-worker.ts';
import type { PlanCost } from '../cost-model/plan-cost.ts';
import { expectedSeconds, type Processors, wallSeconds } from '../cost-model/processors.ts';
import type { MemoryFit, WorkerMemory } from '../encoding/encoder-memory.ts';
import { type Encoding, encodingsByCodec, isStream } from '../encoding/encoding.ts';
import type { Speed } from '../jobs/speeds.ts';
import { functionDiskBytes, maxDownloadBytes } from '../media/probe/input-limits.ts';
import type { JobUse } from './cost-of-job.ts';
import type { OtherComputer } from './other-workers.ts';
import { overheadSeconds } from './per-job.ts';

/** Bytes per second between a function and S3 or the internet. Assumed. */
const networkBytesPerSecond = 75e6;

/** Seconds of a transfer between a function and S3 or the internet. */
export function transferSeconds(bytes: number): number {
  return bytes / networkBytesPerSecond;
}

/** What decides how a job is processed. */
export type ExpectedWork = {
  cost: PlanCost;
  /** The encoding of a job that can be split into chunks, and its duration. */
  chunkable?:
    | ({ encoding: Encoding; durationSeconds: number } & Pick<ChunkedWork, 'hasFinalFragments'>)
    | undefined;
  inputBytes: number;
  speed: Speed;
  /** How the encodings of the job fit into the memory of a worker. */
  fitOf: (memory: WorkerMemory) => MemoryFit;
};

export type WorkerStage = {
  processors: Processors;
  memory: WorkerMemory;
  chunking: ChunkSettings;
  /** Wall seconds that a function has. */
  timeoutSeconds: number;
  /** The workers to which whole jobs are delegated, in the order of preference. */
  others: readonly OtherComputer[];
};

/** The use of a job before it has run, and the wall seconds from its claim to its end. */
export type ExpectedUse = Omit<JobUse, 'reads' | 'downloads'> & {
  seconds: number;
  /** Chunks of the video; 1 for a single pass. */
  chunks: number;
};

/** The expected use of a job. `slowness` multiplies the processor time: 1 for the middle of the estimates. */
export function expectedUse(work: ExpectedWork, stage: WorkerStage, slowness = 1): ExpectedUse {
  const { cost, chunkable, inputBytes, speed } = work;
  const { processors, chunking, timeoutSeconds } = stage;
  const { outputBytes } = cost;
  const wallOf = (cpuSeconds: number) => wallSeconds(cpuSeconds * slowness, processors);
  const wholeOf = (on: Processors) => slowness * expectedSeconds(cost, on);
  const before = overheadSeconds + transferSeconds(inputBytes);
  const single = before + wholeOf(processors) + transferSeconds(outputBytes);
  const usual = { attempts: 1, outputs: 1, outputBytes, chunks: 1 };
  const inFunction = { ...usual, workerSeconds: single, seconds: single, tasks: 0, executions: 0 };
  const inOther = (on: OtherComputer) => {
    const ownSeconds = before + wholeOf(on.processors) + transferSeconds(outputBytes);
    // The function downloads the inputs too, to plan.
    const delegated = { ...usual, seconds: before + ownSeconds, executions: 1 };
    return on.name === 'large'
      ? { ...delegated, workerSeconds: before + ownSeconds, largeSeconds: ownSeconds, tasks: 1 }
      : { ...delegated, workerSeconds: before, tasks: 0, fargateTasks: 1, fargateSeconds: ownSeconds };
  };
  const other = otherWorkerOf(work, stage, before);
  const singlePass = other === undefined ? inFunction : inOther(other);
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
  const joining = overheadSeconds + 2 * transferSeconds(joinedBytes);
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

/** The worker to which transcode would delegate a single pass; undefined if it keeps the job. */
function otherWorkerOf(
  { cost, inputBytes, fitOf }: ExpectedWork,
  { processors, memory, timeoutSeconds, others }: WorkerStage,
  before: number,
): OtherComputer | undefined {
  if (others.length === 0) return undefined;
  const maxSeconds = timeoutSeconds - before;
  const hasDisk = inputBytes <= maxDownloadBytes && inputBytes + cost.copiedBytes <= functionDiskBytes;
  const gigabytes = memory.sizeBytes / 2 ** 30;
  const { worker } = chooseWorker(
    { cost, startSeconds: before, endSeconds: transferSeconds(cost.outputBytes) },
    { processors, maxSeconds, fit: fitOf(memory), hasDisk, gigabytes },
    others.map((other) => ({
      ...other,
      fit: fitOf(other.memory),
      // The longest time of a Fargate task is not known here.
      ...(other.name === 'large'
        ? { maxSeconds, hasDisk }
        : { maxSeconds: Number.POSITIVE_INFINITY, hasDisk: true }),
    })),
  );
  return worker === undefined ? undefined : others[worker];
}
