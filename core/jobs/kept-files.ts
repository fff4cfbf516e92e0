import { addMs, durations } from './durations.ts';
import type { CompletedSteps, StepsInBucket } from './job-result.ts';
import { isTerminal, type Job, type JobRecord, type TerminalJob } from './record.ts';
import { foldersOf, isFileOf } from './stored-file.ts';

/** When a job without a result keeps no finished output any more. */
export function keepsStepsUntil({ completedAt }: TerminalJob): string {
  return addMs(new Date(completedAt), durations.keptStepsMs);
}

/** The finished outputs that an ended job keeps for a retry; undefined if it keeps none. */
export function keptSteps(job: TerminalJob, now: Date): StepsInBucket | undefined {
  const { completedSteps } = job.state === 'failed' || job.state === 'cancelled' ? job : {};
  return now.toISOString() < keepsStepsUntil(job) ? completedSteps : undefined;
}

/** The finished outputs that a retry of a job takes over. They lie under the keys of that job until a worker copies them. */
export function stepsForRetry(job: Job, now: Date): CompletedSteps | undefined {
  const kept = isTerminal(job) ? keptSteps(job, now) : undefined;
  if (kept === undefined || kept.count === 0) return undefined;
  const { source: _, ...steps } = kept;
  return { ...steps, attempts: 0 };
}

/**
 * The key prefixes of the objects in the media bucket that an ended job keeps: the files of its result, or those that wait for
 * a retry. What is at a storage provider needs none.
 */
export function keptPrefixes(job: TerminalJob, now: Date): string[] {
  if (job.state === 'completed')
    return ownFolders(
      job,
      Object.values(job.files).filter(({ storage }) => !storage),
    );
  const { unpublished } = job.state === 'failed' ? job : {};
  return [
    ...ownFolders(job, Object.values(unpublished?.result.files ?? {})),
    ...foldersOfSteps(job, keptSteps(job, now)),
  ];
}

/** The key prefixes of what completed steps have stored for the job or for later steps. */
export function foldersOfSteps(job: { jobId: string }, steps: StepsInBucket | undefined): string[] {
  if (steps === undefined) return [];
  return ownFolders(job, [...Object.values(steps.result.files), ...Object.values(steps.intermediates)]);
}

/** The folders of files of a job. Those of another job are not its own. */
function ownFolders(job: { jobId: string }, files: readonly { key: string }[]): string[] {
  return foldersOf(files.filter((file) => isFileOf(job, file)));
}

/** Whether the job has ended with the files of this attempt, in the media bucket or at a storage provider. */
export function keepsFilesOf(
  { jobId, attempt }: { jobId: string; attempt: number },
  current: JobRecord | undefined,
): current is TerminalJob {
  if (current === undefined || !isTerminal(current)) return false;
  if (current.state === 'completed') return current.attempt === attempt;
  const { unpublished } = current.state === 'failed' ? current : {};
  return unpublished?.jobId === jobId && unpublished.attempt === attempt;
}
