import { overallProgress } from './progress.ts';
import type { Job } from './record.ts';

/** How far a job is, in percent: what was last written of it, or what its parts have come to since. */
export function progressOf(job: Job): number {
  if (job.state !== 'processing' || !job.execution) return job.progress;
  const sum = Object.values(job.chunkProgress ?? {}).reduce((total, percent) => total + percent, 0);
  return Math.max(job.progress, overallProgress('transcoding', sum / 100 / job.execution.taskCount));
}
