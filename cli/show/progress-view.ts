import type { JobResource } from '../../core/api/job-resource.ts';
import { isTerminalState } from '../../core/jobs/states.ts';
import { jobName } from '../../formatting/job-name.ts';

/** How far one thing is. */
export type Progress = {
  /** By which it is the same thing as before. */
  key: string;
  label: string;
  /** 0 to 100. */
  percent: number;
  /** What is being done, in a word. */
  activity: string;
  /** More of it, which changes all the time. */
  detail?: string;
  isDone: boolean;
};

/** Shows how far things are. */
export type ProgressView = { show(progress: Progress): void; end(): void };

/** Shows nothing. */
export const silentProgressView: ProgressView = { show: () => undefined, end: () => undefined };

/** How far a job is. */
export function jobProgress({ jobId, progress, state, stage, request }: JobResource): Progress {
  const isDone = isTerminalState(state);
  return {
    key: jobId,
    label: `${jobName({ request })} (${jobId})`,
    percent: progress,
    activity: isDone ? state : stage,
    isDone,
  };
}
