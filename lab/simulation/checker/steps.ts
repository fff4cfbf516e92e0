import type { Step } from '@media-jobs/video/recipes';
import type { CompletedSteps } from '../../../core/jobs/job-result.ts';
import { readSteps } from '../../../core/jobs/read-steps.ts';
import type { JobRecord } from '../../../core/jobs/record.ts';
import type { JobRequestRecord } from '../../../core/jobs/request-record.ts';

/** The steps of a request that has several, in their order; of any other one nameless step. */
export function stepsOf(
  request: JobRequestRecord | undefined,
): readonly Pick<Step, 'name' | 'from' | 'isIntermediate'>[] {
  const isOfSeveral = (request?.steps ?? request?.outputs) !== undefined;
  return request !== undefined && isOfSeveral ? readSteps(request) : [{ isIntermediate: false }];
}

/** How often the source was encoded, one after the other, in the output of a step. */
export function encodesUntil(steps: readonly Pick<Step, 'from'>[], index: number): number {
  const from = steps[index]?.from;
  return from === undefined ? 1 : encodesUntil(steps, from) + 1;
}

/** The completed steps of a job that goes on. */
export function completedStepsOf(record: JobRecord | undefined): CompletedSteps | undefined {
  return record?.state === 'queued' || record?.state === 'processing' ? record.completedSteps : undefined;
}
