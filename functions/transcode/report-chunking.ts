import type { WorkPass } from '@media-jobs/video/decide';
import { type Step, stepLabel } from '@media-jobs/video/recipes';
import { addChunking, type Chunking } from '../../core/jobs/job-result.ts';
import type { WorkerContext } from '../../core/worker/worker-context.ts';
import type { GraphState, JobForecast } from './graph-state.ts';

export function reportPass(
  context: WorkerContext,
  { forecast, state: { steps }, pass }: { forecast: JobForecast; state: GraphState; pass: WorkPass },
): void {
  if (!tellsWhy(forecast, pass)) return;
  reportChunking(context, { steps, index: pass.step }, { chunks: 1, reason: pass.reason });
}

/** Whether the job tells why a pass is not in chunks: of each video, and of any other job that requests speed. */
function tellsWhy({ work: { steps }, limits }: JobForecast, { kind, from, to, step, reason }: WorkPass): boolean {
  if (kind !== 'function') return false;
  const [first, ...others] = steps;
  if (limits.singlePass?.get(step) === reason) return true;
  if (others.length === 0 && first?.chunkable !== undefined) return true;
  const isWhole = from === first?.index && to === (steps.at(-1)?.index ?? 0) + 1;
  return isWhole && limits.speed === 'fast';
}

/** Reports the decision on chunks for one step. That of a pipeline names its step, behind those of earlier passes. */
export function reportChunking(
  { job, report }: WorkerContext,
  { steps, index }: { steps: readonly Step[]; index: number },
  { chunks, reason }: Chunking,
): void {
  const { name, output } = steps[index] ?? {};
  const label = output === undefined ? stepLabel(steps, index) : name;
  const labelled = steps.length === 1 && output === undefined ? reason : `${label}: ${reason}`;
  const chunking = addChunking(job.completedSteps?.chunking, { chunks, reason: labelled });
  report({ stage: 'probing', fraction: 1, chunking });
}
