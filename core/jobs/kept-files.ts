import { isTerminal, type JobRecord, type TerminalJob } from './record.ts';
import { attemptPrefix, providerPointerKey } from './stored-file.ts';

/**
 * The key prefix of the objects in the media bucket that an ended job keeps: the files of its result, or those that wait for
 * a retry. Of a result at a storage provider it is one object: a join of the same attempt that was repeated may have stored
 * its files for a retry.
 */
export function keptPrefix(job: TerminalJob): string | undefined {
  if (job.state === 'completed') {
    return job.publication === undefined ? attemptPrefix(job.jobId, job.attempt) : providerPointerKey(job);
  }
  const { undelivered } = job.state === 'failed' ? job : {};
  return undelivered?.jobId === job.jobId ? attemptPrefix(job.jobId, undelivered.attempt) : undefined;
}

/** Whether the job has ended and keeps objects of this attempt. */
export function keepsFilesOf(
  { jobId, attempt }: { jobId: string; attempt: number },
  current: JobRecord | undefined,
): current is TerminalJob {
  if (current === undefined || !isTerminal(current)) return false;
  return keptPrefix(current)?.startsWith(attemptPrefix(jobId, attempt)) ?? false;
}
