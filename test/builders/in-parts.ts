import type { ParallelInput } from '../../core/chunks/ports.ts';
import { type Job, type JobRequestRecord, jobRecordSchema } from '../../core/jobs/job.ts';
import { doPart, type EncodePartResult } from '../../functions/encode-part/app.ts';
import { finishParts, type JoinPartsResult } from '../../functions/join-parts/app.ts';
import { type TranscodeResult, transcode } from '../../functions/transcode/app.ts';
import type { PartsPorts, PartsStage } from './a-parts-stage.ts';
import { aJobId, aQueuedJob } from './jobs.ts';

/** Where a function runs otherwise than on the stage. */
type Elsewhere = Partial<PartsPorts>;

/** A job that was left to its state machine, which the test is. */
export type InParts = {
  input: ParallelInput;
  encode(part: number, elsewhere?: Elsewhere): Promise<EncodePartResult>;
  /** All parts that the machine was started with, in this order if not in theirs. */
  encodeAll(order?: readonly number[]): Promise<void>;
  join(asked?: { failed?: boolean }, elsewhere?: Elsewhere): Promise<JoinPartsResult>;
  /** As it is stored. */
  job(): Promise<Job>;
};

const soon = () => new Date(Date.now() + 120_000);

/** A job of this request, waiting for a worker. */
export async function queue(
  { ports }: PartsStage,
  request: JobRequestRecord,
  jobId = aJobId(),
): Promise<Job> {
  const job = aQueuedJob({ jobId, request });
  await ports.jobs.write({ guard: { absent: true }, job });
  return job;
}

/** Lets a worker take a job. */
export function take({ ports }: PartsStage, job: Job, elsewhere: Elsewhere = {}): Promise<TranscodeResult> {
  return transcode({ ...ports, ...elsewhere })(job, soon());
}

/** A job that a worker has handed over. */
export async function handedOver(
  stage: PartsStage,
  request: JobRequestRecord,
  elsewhere: Elsewhere = {},
): Promise<InParts> {
  const job = await queue(stage, request);
  const result = await take(stage, job, elsewhere);
  if (result !== 'handed-over') throw new Error(`The job is ${result}`);
  return inParts(stage, `${job.jobId}-1`);
}

/** What the state machine does with an execution of that name. */
export function inParts({ ports, machine }: PartsStage, name: string): InParts {
  const input = machine.running.get(name);
  if (input === undefined) throw new Error(`There is no execution ${name}`);
  const { parts, ...task } = input;
  const encode = (part: number, elsewhere: Elsewhere = {}) =>
    doPart({ ...ports, ...elsewhere })({ ...task, part }, soon());
  return {
    input,
    encode,
    async encodeAll(order = parts) {
      for (const part of order) await encode(part);
    },
    join: ({ failed = false } = {}, elsewhere = {}) =>
      finishParts({ ...ports, ...elsewhere })({ ...task, failed }, soon()),
    async job() {
      const stored = jobRecordSchema.parse(await ports.jobs.get(task));
      if (stored.state === 'deleted') throw new Error('The job is deleted');
      return stored;
    },
  };
}
