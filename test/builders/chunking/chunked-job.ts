import { chunkResultSchema } from '@media-jobs/video/chunking';
import type { Format } from '@media-jobs/video/media';
import { chunkSource } from '@media-jobs/video/testing';
import type { SecondRun } from '../../../core/chunked/run-task-message.ts';
import type { ChunkedExecutionInput } from '../../../core/jobs/chunked-ports.ts';
import { type Job, jobRecordSchema } from '../../../core/jobs/record.ts';
import type { JobRequestRecord } from '../../../core/jobs/request-record.ts';
import { chunkKeys } from '../../../core/jobs/stored-file.ts';
import { type EncodeChunkResult, encodeChunk } from '../../../functions/encode-chunk/app.ts';
import { finishChunkedJob, type JoinChunksResult } from '../../../functions/join-chunks/app.ts';
import type { TranscodeResult } from '../../../functions/transcode/transcode.ts';
import { aJobId, aQueuedJob } from '../jobs/jobs.ts';
import { transcodeNext } from '../jobs/transcode-next.ts';
import { type SomePorts, withPorts } from '../jobs/worker-ports.ts';
import { type ChunkedStage, clipUrl } from './a-chunked-stage.ts';

/** Dependencies that replace those of the stage. */
type Overrides = SomePorts;

/** Which run of a chunk task it is, and what it may start. */
type RunOptions = { isSecondRun?: boolean; secondRun?: SecondRun };

/** A delegated job. The test takes the place of the state machine. */
export type ChunkedJob = {
  input: ChunkedExecutionInput;
  encode(chunk: number, overrides?: Overrides & RunOptions): Promise<EncodeChunkResult>;
  /** All chunk tasks, in this order or in that of the execution. */
  encodeAll(order?: readonly number[]): Promise<void>;
  /** The key of a file of an encoded chunk task. */
  fileKey(chunk: number, file?: number): Promise<string>;
  join(joinInput?: { failed?: boolean }, overrides?: Overrides): Promise<JoinChunksResult>;
  /** The stored record. */
  job(): Promise<Job>;
};

const soon = () => new Date(Date.now() + 120_000);

/** A request for two seconds of a small source, which need no chunks. */
export async function aClipRequest(): Promise<JobRequestRecord> {
  return {
    mode: 'recipe',
    input: { url: clipUrl(await chunkSource('openGop')) },
    output: { format: 'mp4' },
    recipe: { name: 'clip', start: 1, end: 3 },
  };
}

/** A queued job of this request. */
export async function queueJob({ ports }: ChunkedStage, request: JobRequestRecord, jobId = aJobId()): Promise<Job> {
  const job = aQueuedJob({ jobId, request });
  await ports.jobs.write({ guard: { absent: true }, job });
  return job;
}

/** Runs transcode on a job. */
export function runTranscode({ ports }: ChunkedStage, job: Job, overrides: Overrides = {}): Promise<TranscodeResult> {
  return transcodeNext(withPorts(ports, overrides), job, soon());
}

/** A job that a worker has delegated. */
export async function delegatedJob(
  stage: ChunkedStage,
  request: JobRequestRecord,
  overrides: Overrides = {},
): Promise<ChunkedJob> {
  const job = await queueJob(stage, request);
  const result = await runTranscode(stage, job, overrides);
  if (result !== 'delegated') throw new Error(`The job is ${result}`);
  return chunkedJob(stage, `${job.jobId}-1`);
}

/** A delegated job that requests speed: a recipe on a local file. */
export function fastJob(
  stage: ChunkedStage,
  { source, format, recipe }: { source: string; format: Format; recipe: JobRequestRecord['recipe'] },
): Promise<ChunkedJob> {
  const input = { url: clipUrl(source) };
  return delegatedJob(stage, { mode: 'recipe', input, output: { format }, recipe, speed: 'fast' });
}

/** The delegated job of an execution. */
export function chunkedJob({ ports, machine, read }: ChunkedStage, name: string): ChunkedJob {
  const input = machine.running.get(name);
  if (input === undefined) throw new Error(`There is no execution ${name}`);
  const { chunks, group: _, ...task } = input;
  const encode: ChunkedJob['encode'] = (chunk, { isSecondRun = false, secondRun, ...overrides } = {}) =>
    encodeChunk(withPorts(ports, overrides))({ ...task, chunk, isSecondRun }, soon(), secondRun);
  return {
    input,
    encode,
    async encodeAll(order = chunks.map(({ chunk }) => chunk)) {
      for (const chunk of order) await encode(chunk);
    },
    async fileKey(chunk, file = 0) {
      const { resultKey, fileKey } = chunkKeys(task.planKey, chunk);
      const { runId } = chunkResultSchema.parse(JSON.parse((await read(resultKey)).toString()));
      return fileKey(runId, file);
    },
    join: ({ failed = false } = {}, overrides = {}) =>
      finishChunkedJob(withPorts(ports, overrides))({ ...task, failed }, soon()),
    async job() {
      const stored = jobRecordSchema.parse(await ports.jobs.get(task));
      if (stored.state === 'deleted') throw new Error('The job is deleted');
      return stored;
    },
  };
}
