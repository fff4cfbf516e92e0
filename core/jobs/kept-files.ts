import { isTerminal, type JobRecord, type TerminalJob } from './record.ts';
import { attemptPath } from './stored-file.ts';

/**
 * The path of the objects in the media bucket that an ended job keeps: the files of its result, or those that wait for
 * a retry. A result at a storage provider keeps none.
 */
export function keptPath(job: TerminalJob): string | undefined {
  if (job.state === 'completed') {
    return job.publication === undefined ? attemptPath(job) : undefined;
  }
  const { unpublished } = job.state === 'failed' ? job : {};
  return unpublished?.jobId === job.jobId ? attemptPath(unpublished) : undefined;
}

/** Whether the job has ended with the files of this attempt, in the media bucket or at a storage provider. */
export function keepsFilesOf(
  { jobId, attempt }: { jobId: string; attempt: number },
  current: JobRecord | undefined,
): current is TerminalJob {
  if (current === undefined || !isTerminal(current)) return false;
  if (current.state === 'completed') return current.attempt === attempt;
  return keptPath(current) === attemptPath({ jobId, attempt });
}
