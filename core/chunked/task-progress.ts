import type { RunProgress } from '@media-jobs/video/chunking';
import { durations } from '../jobs/durations.ts';
import type { Clock, JobTable } from '../jobs/ports.ts';
import { type ChunkProgress, type ChunkProgressResult, taskMsField } from '../jobs/progress.ts';
import type { JobIn } from '../jobs/record.ts';

/** The task whose progress is recorded: the number of a chunk task, or the join. */
export type WatchTarget = Omit<ChunkProgress, 'percent' | 'ms' | 'beat'>;

export type TaskProgress = {
  /** The progress of this run until now. */
  ofRun(): RunProgress;
  /** Sets the progress of the run, 0 to 100. It never falls. */
  report(percent: number): void;
  /** Whether `stored` lacks progress of this run. Another run of the task may be further. */
  isMissingIn(stored: JobIn<'processing'>): boolean;
  /** Records the progress and the time until now. `isEnd`: no heartbeat of this run follows. */
  record(options?: { isEnd?: boolean }): Promise<ChunkProgressResult>;
  /** Milliseconds of the task until now, with those of earlier runs. */
  taskMs(): number;
};

/**
 * Follows one run of a task.
 *
 * @param job the record at the start of the run
 * @param startedMs time of the start in milliseconds since 1970
 */
export function taskProgress(
  { jobs, clock }: { jobs: { recordChunkProgress: JobTable['recordChunkProgress'] }; clock: Clock },
  target: WatchTarget,
  { job, startedMs }: { job: JobIn<'processing'>; startedMs: number },
): TaskProgress {
  const { chunk } = target;
  // An earlier run of the task may have died.
  const earlierMs = job.taskMs?.[taskMsField(target)] ?? 0;
  const claimedMs = Date.parse(job.claimedAt);
  const runMs = () => clock.now().getTime() - startedMs;
  const taskMs = () => earlierMs + runMs();
  let reportedPercent = 0;
  let recorded = { percent: job.chunkProgress?.[chunk] ?? 0, ms: earlierMs };

  return {
    ofRun: () => ({ ms: runMs(), percent: reportedPercent }),
    report(percent) {
      reportedPercent = Math.max(reportedPercent, Math.min(100, percent));
    },
    isMissingIn({ chunkProgress }) {
      recorded.percent = Math.max(recorded.percent, chunkProgress?.[chunk] ?? 0);
      // The table ignores chunk progress until the job is delegated; `record` would not write it again.
      if (chunkProgress === undefined) return false;
      return (
        recorded.ms === earlierMs ||
        Math.floor(reportedPercent) > recorded.percent ||
        taskMs() - recorded.ms >= durations.taskProgressMs
      );
    },
    async record({ isEnd = false } = {}) {
      const percent = Math.max(recorded.percent, Math.floor(reportedPercent));
      // The table ignores a time that does not rise.
      const latest = { percent, ms: Math.max(taskMs(), recorded.ms + 1) };
      const beat = isEnd ? undefined : Math.floor((clock.now().getTime() - claimedMs) / 1000);
      const result = await jobs.recordChunkProgress({ ...target, ...latest, beat });
      recorded = latest;
      return result;
    },
    taskMs,
  };
}
