import type { JobIn, JobRecord } from '../../core/jobs/record.ts';

/**
 * Whether the end that was refused is there already: written by this very attempt, its answer lost, and moved on since
 * by its delivery. Then the files are the job's result and no loser's.
 */
export function wasCompletedByAttempt(
  { attempt }: JobIn<'processing'>,
  current: JobRecord | undefined,
): boolean {
  return current?.state === 'completed' && current.attempt === attempt;
}
