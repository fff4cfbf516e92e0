import { addMs, durations } from './durations.ts';
import type { JobChange } from './guard.ts';
import type { JobRef } from './ports.ts';
import type { Job, JobIn } from './record.ts';
import { heartbeat, requeue, versionGuard } from './transitions.ts';

/** What a job's record knows of the state machine that encodes its parts side by side. */
export type Execution = NonNullable<JobIn<'processing'>['execution']>;

/** The percent of one part, by its number, or of the join, as its worker reports it under the lease of the job. */
export type ChunkProgress = JobRef & { leaseId: string; chunk: number | 'join'; percent: number };

/**
 * What became of a note: written; needless, since the record says as much or more or no notes are taken yet; or
 * refused, since the job is no longer this lease's.
 */
export type ChunkProgressResult = 'recorded' | 'unchanged' | 'lost';

/**
 * Names the state machine that is about to be started. The lease still ends soon, so that a worker that dies before
 * the start loses little.
 */
export function recordExecution(
  job: JobIn<'processing'>,
  { execution, now }: { execution: Execution; now: Date },
): JobChange<JobIn<'processing'>> {
  const change = heartbeat(job, { stage: 'transcoding', progress: job.progress, now });
  return { ...change, job: { ...change.job, execution } };
}

/**
 * Leaves a job to the state machine that was started: from now on parts note how far they are, nobody renews the
 * lease, and reconcile looks now and then whether the machine still runs.
 */
export function delegateToExecution(job: JobIn<'processing'>, now: Date): JobChange<JobIn<'processing'>> {
  return {
    guard: { leaseId: job.leaseId, dueAt: job.dueAt },
    job: { ...job, ...taken(job), dueAt: addMs(now, durations.executionCheckMs) },
  };
}

/** Leaves a job to its state machine, which was found running, for a while more. */
export function extendExecutionCheck(job: JobIn<'processing'>, now: Date): JobChange<JobIn<'processing'>> {
  return { ...delegateToExecution(job, now), guard: versionGuard(job) };
}

/** From now on notes are taken, if they were not before. */
function taken({ chunkProgress = {}, progressVersion = 0 }: JobIn<'processing'>) {
  return { chunkProgress, progressVersion };
}

/** Puts a job back into the queue whose parts came to nothing. Its lease does so, since no worker of it was lost. */
export function requeueFromExecution(job: JobIn<'processing'>, now: Date): JobChange<JobIn<'queued'>> {
  const { leaseId, dueAt, progressVersion = null } = job;
  return { ...requeue(job, now), guard: { leaseId, dueAt, progressVersion } };
}

/** The same, to be encoded in one piece. */
export function requeueForSinglePass(
  job: JobIn<'processing'>,
  because: string,
  now: Date,
): JobChange<JobIn<'queued'>> {
  const change = requeueFromExecution(job, now);
  return { ...change, job: { ...change.job, singlePassReason: because } };
}

/** What `note` makes of the record that is stored: a part's percent only ever rises. */
export function applyChunkProgress(
  stored: Job | undefined,
  { leaseId, chunk, percent }: ChunkProgress,
): { job: JobIn<'processing'> } | Exclude<ChunkProgressResult, 'recorded'> {
  if (stored?.state !== 'processing' || stored.leaseId !== leaseId) return 'lost';
  const { chunkProgress, progressVersion = 0 } = stored;
  if (!chunkProgress || (chunkProgress[chunk] ?? -1) >= percent) return 'unchanged';
  return {
    job: {
      ...stored,
      chunkProgress: { ...chunkProgress, [chunk]: percent },
      progressVersion: progressVersion + 1,
    },
  };
}
