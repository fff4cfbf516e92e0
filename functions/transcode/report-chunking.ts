import type { Chunking } from '../../core/jobs/record.ts';
import { type Step, stepLabel } from '../../core/recipes/pipeline/steps.ts';
import type { WorkerContext } from '../worker/worker-deps.ts';

/** Reports the decision on chunks for one step. That of a pipeline names its step, behind those of earlier passes. */
export function reportChunking(
  { job, report }: WorkerContext,
  { steps, index }: { steps: readonly Step[]; index: number },
  { chunks, reason }: Chunking,
): void {
  const earlier = job.completedSteps?.chunking;
  const labelled = steps.length === 1 ? reason : `${stepLabel(steps, index)}: ${reason}`;
  const chunking =
    earlier === undefined
      ? { chunks, reason: labelled }
      : {
          chunks: chunks === 1 ? earlier.chunks : (earlier.chunks === 1 ? 0 : earlier.chunks) + chunks,
          reason: `${earlier.reason}. ${labelled}`,
        };
  report({ stage: 'probing', fraction: 1, chunking });
}
