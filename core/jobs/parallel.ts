import { after, durations } from './durations.ts';
import type { JobChange } from './guard.ts';
import type { Job, JobIn } from './job.ts';
import type { JobRef } from './ports.ts';
import { heartbeat, requeue, version } from './transitions.ts';

/** What a job's record knows of the state machine that encodes its parts side by side. */
export type Execution = NonNullable<JobIn<'processing'>['execution']>;

/** The percent of one part, by its number, or of the join, as its worker reports it under the lease of the job. */
export type PartNote = JobRef & { leaseId: string; part: number | 'join'; percent: number };

/**
 * What became of a note: written; needless, since the record says as much or more or no notes are taken yet; or
 * refused, since the job is no longer this lease's.
 */
export type NoteResult = 'noted' | 'needless' | 'lost';

/**
 * Names the state machine that is about to be started. The lease still ends soon, so that a worker that dies before
 * the start loses little.
 */
export function handOver(
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
export function leaveToMachine(job: JobIn<'processing'>, now: Date): JobChange<JobIn<'processing'>> {
  return {
    guard: { leaseId: job.leaseId, dueAt: job.dueAt },
    job: { ...job, ...taken(job), dueAt: after(now, durations.executionCheck) },
  };
}

/** Leaves a job to its state machine, which was found running, for a while more. */
export function foundRunning(job: JobIn<'processing'>, now: Date): JobChange<JobIn<'processing'>> {
  return { ...leaveToMachine(job, now), guard: version(job) };
}

/** From now on notes are taken, if they were not before. */
function taken({ partProgress = {}, notes = 0 }: JobIn<'processing'>) {
  return { partProgress, notes };
}

/** Puts a job back into the queue whose parts came to nothing. Its lease does so, since no worker of it was lost. */
export function giveBack(job: JobIn<'processing'>, now: Date): JobChange<JobIn<'queued'>> {
  const { leaseId, dueAt, notes = null } = job;
  return { ...requeue(job, now), guard: { leaseId, dueAt, notes } };
}

/** The same, to be encoded in one piece. */
export function fallBack(job: JobIn<'processing'>, because: string, now: Date): JobChange<JobIn<'queued'>> {
  const change = giveBack(job, now);
  return { ...change, job: { ...change.job, onePieceBecause: because } };
}

/** What `note` makes of the record that is stored: a part's percent only ever rises. */
export function noteOn(
  stored: Job | undefined,
  { leaseId, part, percent }: PartNote,
): { job: JobIn<'processing'> } | Exclude<NoteResult, 'noted'> {
  if (stored?.state !== 'processing' || stored.leaseId !== leaseId) return 'lost';
  const { partProgress, notes = 0 } = stored;
  if (!partProgress || (partProgress[part] ?? -1) >= percent) return 'needless';
  return { job: { ...stored, partProgress: { ...partProgress, [part]: percent }, notes: notes + 1 } };
}
