import { addOutputToError, JobError } from '@media-jobs/video/errors';
import { endReaders } from '@media-jobs/video/recipes';
import { type CompletedSteps, nameEnds, numberEnds } from './job-result.ts';
import { readSteps } from './read-steps.ts';
import type { JobIn } from './record.ts';

/** What is left of a job without the output at which it has failed. */
export type RemainingOutputs = Omit<CompletedSteps, 'attempts'>;

const none: CompletedSteps = { attempts: 0, count: 0, result: { files: {}, inputSizeBytes: 0 }, intermediates: {} };

/**
 * Names in an error the output that the job was making, by its record. If that output is optional, and others are left or
 * made, `rest` is the job without it and without those that read it.
 */
export function blameOutput(
  job: JobIn<'processing'>,
  cause: JobError,
): { error: JobError; rest?: RemainingOutputs | undefined } {
  const { request, completedSteps = none, stage, execution, publishing } = job;
  const isEncoding = execution !== undefined || stage === 'transcoding';
  const isOfOutput = request.outputs !== undefined && publishing === undefined && isEncoding;
  if (!isOfOutput || cause.code === 'COST_LIMIT') return { error: cause };
  const steps = readSteps(request);
  const { attempts: _, result, count, ...before } = completedSteps;
  const ended = numberEnds(steps, result.ended);
  const index = steps.findIndex((step, number) => number >= count && !ended.has(number) && !step.isAbsorbed);
  const { name, output } = steps[index] ?? {};
  if (output === undefined || name === undefined) return { error: cause };
  const named = addOutputToError(cause, name);
  const error = named instanceof JobError ? named : cause;
  const isRequired = !output.isOptional || steps.some((step) => step.from === index && !step.output?.isOptional);
  if (isRequired) return { error };
  const rest = endReaders(steps, new Map(ended).set(index, { is: 'failed', error }));
  const isLeft = steps.some((_, number) => number > index && !rest.has(number));
  if (!isLeft && Object.keys(result.files).length === 0) return { error };
  return { error, rest: { ...before, count: index + 1, result: { ...result, ended: nameEnds(steps, rest) } } };
}
