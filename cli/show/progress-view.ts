import type { JobResource } from '../../core/api/job-resource.ts';
import { isTerminalState } from '../../core/jobs/states.ts';
import { nameOf } from '../../words/job-name.ts';

/** How far one thing is. */
export type Progress = {
  /** By which it is the same thing as before. */
  key: string;
  label: string;
  /** 0 to 100. */
  percent: number;
  /** What is being done, in a word. */
  note: string;
  /** More of it, which changes all the time. */
  detail?: string;
  isDone: boolean;
};

/** Shows how far things are. */
export type ProgressView = { show(progress: Progress): void; end(): void };

/** Shows nothing. */
export const noView: ProgressView = { show: () => undefined, end: () => undefined };

/** How far a job is. */
export function jobProgress({ jobId, progress, state, stage, request }: JobResource): Progress {
  const isDone = isTerminalState(state);
  return {
    key: jobId,
    label: `${nameOf({ request })} (${jobId})`,
    percent: progress,
    note: isDone ? state : stage,
    isDone,
  };
}
