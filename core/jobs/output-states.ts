import { runOrder } from '@media-jobs/video/media';
import { progressOf, stepPercent } from './progress.ts';
import { isTerminal, type Job } from './record.ts';
import type { JobFailure, OutputEnds, OutputState } from './states.ts';

export type OutputStateView = { state: OutputState; progress: number; error?: JobFailure | undefined };

/** The state of each output of a job of several; undefined for any other job. */
export function outputStatesOf(job: Job): Record<string, OutputStateView> | undefined {
  const { outputs } = job.request;
  if (outputs === undefined) return undefined;
  const order = runOrder(outputs);
  return Object.fromEntries(Object.keys(outputs).map((name) => [name, stateOf(job, name, order)]));
}

function stateOf(job: Job, name: string, order: readonly string[]): OutputStateView {
  const index = order.indexOf(name);
  const ends = endsOf(job);
  const end = Object.hasOwn(ends, name) ? ends[name] : undefined;
  if (end !== undefined) return { ...end, progress: 0 };
  const count = 'completedSteps' in job ? (job.completedSteps?.count ?? 0) : 0;
  if (job.state === 'completed' || index < count) return { state: 'completed', progress: 100 };
  if ('error' in job && job.error.output === name) return { state: 'failed', progress: 0, error: job.error };
  if (isTerminal(job)) return { state: 'cancelled', progress: 0 };
  const current = order.findIndex((each, number) => number >= count && !Object.hasOwn(ends, each));
  const isCurrent = job.state === 'processing' && index === current && ['transcoding', 'uploading'].includes(job.stage);
  if (!isCurrent) return { state: 'queued', progress: 0 };
  return { state: 'processing', progress: stepPercent(job, index, progressOf(job)) };
}

function endsOf(job: Job): OutputEnds {
  if (job.state === 'completed') return job.ended ?? {};
  return ('completedSteps' in job && job.completedSteps?.result.ended) || {};
}
