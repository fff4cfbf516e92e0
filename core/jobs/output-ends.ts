import { JobError } from '@media-jobs/video/errors';
import type { JobWarning } from '@media-jobs/video/media';
import type { Step, StepEnd, StepEnds } from '@media-jobs/video/recipes';
import { jobFailure } from './outcome.ts';
import type { OutputEnds } from './states.ts';

/** How outputs have ended that are not made, as the record of their job has it. */
export function nameEnds(steps: readonly Pick<Step, 'name'>[], ended: StepEnds): OutputEnds {
  const named = [...ended].map(([index, end]): [string, OutputEnds[string]] => [
    steps[index]?.name ?? '',
    end.is === 'skipped' ? { state: 'skipped' } : { state: 'failed', error: jobFailure(end.error, 'transcoding') },
  ]);
  return Object.fromEntries(named);
}

/** The reverse of `nameEnds`. */
export function numberEnds(steps: readonly Pick<Step, 'name'>[], ended: OutputEnds | undefined): StepEnds {
  const numbered = Object.entries(ended ?? {}).map(([name, { error }]): [number, StepEnd] => [
    steps.findIndex((step) => step.name === name),
    error === undefined
      ? { is: 'skipped' }
      : { is: 'failed', error: new JobError(error.code, error.message, { ...error, cause: undefined }) },
  ]);
  return new Map(numbered);
}

/** A warning for each optional output that has failed. */
export function failureWarnings(ended: OutputEnds | undefined): JobWarning[] {
  return Object.entries(ended ?? {}).flatMap(([output, { error }]) =>
    error === undefined ? [] : [{ code: 'OUTPUT_FAILED', message: `${error.code}: ${error.message}`, output }],
  );
}
