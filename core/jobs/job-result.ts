import type { Worker, WorkPass } from '@media-jobs/video/decide';
import { JobError } from '@media-jobs/video/errors';
import { type JobWarning, runOrder, workResultSchema } from '@media-jobs/video/media';
import type { Step, StepEnd, StepEnds } from '@media-jobs/video/recipes';
import * as z from 'zod';
import { type JobFailure, type JobStage, type OutputEnds, outputEndsSchema } from './states.ts';
import { storedFileSchema } from './stored-file.ts';

/**
 * The number of chunks that a job's video is encoded in (1: a single pass), and the reason as a sentence. Of a pipeline: the
 * chunks of all its steps, and the reason of each.
 */
export const chunkingSchema = z.object({ chunks: z.int().min(1), reason: z.string() });

export type Chunking = z.infer<typeof chunkingSchema>;

/** The decision on chunks of a step of a pipeline, after those of the steps that are completed. A single pass is 1. */
export function addChunking(earlier: Chunking | undefined, { chunks, reason }: Chunking): Chunking {
  if (earlier === undefined) return { chunks, reason };
  return {
    chunks: chunks === 1 ? earlier.chunks : (earlier.chunks === 1 ? 0 : earlier.chunks) + chunks,
    reason: `${earlier.reason}. ${reason}`,
  };
}

/** Of a job of several outputs. */
export const ofOutputs = {
  ended: outputEndsSchema.optional(),
  /** Milliseconds that workers took for each output, by its name. */
  outputMs: z.record(z.string(), z.int().min(0)).optional(),
};

export const jobResultSchema = workResultSchema.extend({ ...ofOutputs, files: z.record(z.string(), storedFileSchema) });

export type JobResult = z.infer<typeof jobResultSchema>;

/** The steps of a job that need no work any more, and what they leave in the media bucket. */
export const completedStepsSchema = z.object({
  /** The steps that are left begin with this number. */
  count: z.int().min(0),
  /** The result of the job until now. Its files are those that the job delivers. */
  result: jobResultSchema,
  /** The files that later steps read, by the numbers of the steps that made them. */
  intermediates: z.record(z.string(), z.object({ key: z.string() })),
  /** A copy of the source: no worker reads the source again. */
  source: z.object({ key: z.string(), etag: z.string(), sizeBytes: z.int() }).optional(),
  /** The attempts before the one that is the first for the next step. They do not count as failed. */
  attempts: z.int().min(0),
  chunking: chunkingSchema.optional(),
});

export type CompletedSteps = z.infer<typeof completedStepsSchema>;

export type StepsInBucket = Omit<CompletedSteps, 'attempts' | 'chunking'>;

/** Who does the work: a function in a single pass, functions in chunks, or a Fargate task. */
export const workers = ['function', 'chunks', 'task'] as const satisfies readonly Worker[];

/** The worker of each step of a job, by the decided passes. The steps in front of them keep theirs. */
export function workersOf(passes: readonly WorkPass[], earlier: readonly DecidedWorker[] = []): DecidedWorker[] {
  const [first] = passes;
  const count = passes.at(-1)?.to ?? earlier.length;
  return Array.from({ length: count }, (_, index) => {
    if (first === undefined || index < first.from) return earlier[index] ?? null;
    return passes.find(({ from, to }) => index >= from && index < to)?.kind ?? null;
  });
}

/** Null for an output that is not made. */
type DecidedWorker = Worker | null;

/** A pipeline, or a job of several outputs. */
type Requested = {
  steps?: readonly { name?: string | undefined }[] | undefined;
  outputs?: Readonly<Record<string, { from?: string | undefined; format: string }>> | undefined;
};

/**
 * The workers of a job as its owner reads them: by the name of each output; of a pipeline by that of the step, or its
 * number. `worker` is the one that can do the most.
 */
export function viewWorkers(
  { steps, outputs }: Requested,
  decided: readonly DecidedWorker[] | undefined,
): { worker: Worker | null; workers?: Record<string, Worker | null> } {
  const worker = workers.findLast((each) => decided?.includes(each)) ?? null;
  // A step that is one encode with a later one has no pass of its own, but the worker of that one.
  if (outputs !== undefined) {
    const order = runOrder(outputs);
    const workerOf = (name: string): DecidedWorker => {
      const reader = Object.keys(outputs).find((other) => outputs[other]?.from === name);
      return decided?.[order.indexOf(name)] ?? (reader === undefined ? null : workerOf(reader));
    };
    const byName = Object.keys(outputs).map((name) => [name, workerOf(name)]);
    return { worker, workers: Object.fromEntries(byName) };
  }
  if (steps === undefined) return { worker };
  const workerOf = (index: number) => decided?.slice(index).find((each) => each !== null) ?? null;
  const named = steps.map(({ name }, index) => [name ?? `step-${index + 1}`, workerOf(index)]);
  return { worker, workers: Object.fromEntries(named) };
}

/** The `error` object of a job that failed at this stage. */
export function jobFailure({ code, message, retryable, output }: JobError, stage: JobStage): JobFailure {
  return { code, message, stage, retryable, ...(output === undefined ? {} : { output }) };
}

/** How outputs have ended that are not made, as the record of their job has it. */
export function nameEnds(steps: readonly Pick<Step, 'name'>[], ended: StepEnds): OutputEnds {
  const named = [...ended].map(([index, end]): [string, OutputEnds[string]] => [
    steps[index]?.name ?? '',
    end.is === 'skipped' ? { state: 'skipped' } : { state: 'failed', error: jobFailure(end.error, 'transcoding') },
  ]);
  return Object.fromEntries(named);
}

export function numberEnds(steps: readonly Pick<Step, 'name'>[], ended: OutputEnds | undefined): StepEnds {
  const numbered = Object.entries(ended ?? {}).map(([name, { error }]): [number, StepEnd] => [
    steps.findIndex((step) => step.name === name),
    error === undefined
      ? { is: 'skipped' }
      : { is: 'failed', error: new JobError(error.code, error.message, { ...error, cause: undefined }) },
  ]);
  return new Map(numbered);
}

export function failureWarnings(ended: OutputEnds | undefined): JobWarning[] {
  return Object.entries(ended ?? {}).flatMap(([output, { error }]) =>
    error === undefined
      ? []
      : [{ code: 'OUTPUT_FAILED', message: `Failed with ${error.code}: ${error.message}`, output }],
  );
}
