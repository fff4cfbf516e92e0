import type { ChunkedExecutionInput } from '../../../core/chunking/ports.ts';
import { type Job, type JobRequestRecord, jobRecordSchema } from '../../../core/jobs/record.ts';
import { type EncodeChunkResult, encodeChunk } from '../../../functions/encode-chunk/app.ts';
import { finishChunkedJob, type JoinChunksResult } from '../../../functions/join-chunks/app.ts';
import { type TranscodeResult, transcode } from '../../../functions/transcode/app.ts';
import { aJobId, aQueuedJob } from '../jobs/jobs.ts';
import type { ChunkedDeps, ChunkedStage } from './a-chunked-stage.ts';

/** Where a function runs otherwise than on the stage. */
type Elsewhere = Partial<ChunkedDeps>;

/** A job that was left to its state machine, which the test is. */
export type ChunkedJob = {
  input: ChunkedExecutionInput;
  encode(part: number, elsewhere?: Elsewhere): Promise<EncodeChunkResult>;
  /** All parts that the machine was started with, in this order if not in theirs. */
  encodeAll(order?: readonly number[]): Promise<void>;
  join(asked?: { failed?: boolean }, elsewhere?: Elsewhere): Promise<JoinChunksResult>;
  /** As it is stored. */
  job(): Promise<Job>;
};

const soon = () => new Date(Date.now() + 120_000);

/** A job of this request, waiting for a worker. */
export async function queueJob(
  { ports }: ChunkedStage,
  request: JobRequestRecord,
  jobId = aJobId(),
): Promise<Job> {
  const job = aQueuedJob({ jobId, request });
  await ports.jobs.write({ guard: { absent: true }, job });
  return job;
}

/** Lets a worker take a job. */
export function runTranscode(
  { ports }: ChunkedStage,
  job: Job,
  elsewhere: Elsewhere = {},
): Promise<TranscodeResult> {
  return transcode({ ...ports, ...elsewhere })(job, soon());
}

/** A job that a worker has handed over. */
export async function delegatedJob(
  stage: ChunkedStage,
  request: JobRequestRecord,
  elsewhere: Elsewhere = {},
): Promise<ChunkedJob> {
  const job = await queueJob(stage, request);
  const result = await runTranscode(stage, job, elsewhere);
  if (result !== 'delegated') throw new Error(`The job is ${result}`);
  return chunkedJob(stage, `${job.jobId}-1`);
}

/** What the state machine does with an execution of that name. */
export function chunkedJob({ ports, machine }: ChunkedStage, name: string): ChunkedJob {
  const input = machine.running.get(name);
  if (input === undefined) throw new Error(`There is no execution ${name}`);
  const { chunks, ...task } = input;
  const encode = (chunk: number, elsewhere: Elsewhere = {}) =>
    encodeChunk({ ...ports, ...elsewhere })({ ...task, chunk }, soon());
  return {
    input,
    encode,
    async encodeAll(order = chunks) {
      for (const part of order) await encode(part);
    },
    join: ({ failed = false } = {}, elsewhere = {}) =>
      finishChunkedJob({ ...ports, ...elsewhere })({ ...task, failed }, soon()),
    async job() {
      const stored = jobRecordSchema.parse(await ports.jobs.get(task));
      if (stored.state === 'deleted') throw new Error('The job is deleted');
      return stored;
    },
  };
}
