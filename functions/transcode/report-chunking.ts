import { type Step, stepLabel } from '@media-jobs/video/recipes';
import { addChunking } from '../../core/jobs/add-chunking.ts';
import type { Chunking } from '../../core/jobs/record.ts';
import type { WorkerContext } from '../../core/worker/worker-deps.ts';

/** Reports the decision on chunks for one step. That of a pipeline names its step, behind those of earlier passes. */
export function reportChunking(
  { job, report }: WorkerContext,
  { steps, index }: { steps: readonly Step[]; index: number },
  { chunks, reason }: Chunking,
): void {
  const labelled = steps.length === 1 ? reason : `${stepLabel(steps, index)}: ${reason}`;
  const chunking = addChunking(job.completedSteps?.chunking, { chunks, reason: labelled });
  report({ stage: 'probing', fraction: 1, chunking });
}
