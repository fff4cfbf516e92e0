import { after, durations } from './durations.ts';
import type { JobChange } from './guard.ts';
import type { Job, JobIn } from './job.ts';
import { overallProgress } from './overall-progress.ts';
import type { JobRef } from './ports.ts';

/** What a job's record knows of the state machine that encodes its parts side by side. */
export type Execution = {
  /** The name of the execution: one for each attempt. */
  name: string;
  /** How many parts report their percent. */
  parts: number;
};

/** The percent of one part, as its worker reports it under the lease of the job. */
export type PartNote = JobRef & { leaseId: string; part: number; percent: number };

/**
 * What became of a note: written; needless, since the record says as much or more; or refused, since the job is no
 * longer this lease's.
 */
export type NoteResult = 'noted' | 'needless' | 'lost';

/**
 * Hands a claimed job over to a state machine, which then holds the lease: nobody renews it, so that reconcile looks
 * when the machine's own time must be over.
 *
 * @param timeoutMs after which the execution ends by itself, in milliseconds
 */
export function handOver(
  job: JobIn<'processing'>,
  { execution, timeoutMs, now }: { execution: Execution; timeoutMs: number; now: Date },
): JobChange<JobIn<'processing'>> {
  return {
    guard: { leaseId: job.leaseId, dueAt: job.dueAt },
    job: {
      ...job,
      stage: 'transcoding',
      execution,
      partProgress: {},
      updatedAt: now.toISOString(),
      dueAt: after(now, timeoutMs + durations.executionGrace),
    },
  };
}

/** What `note` makes of the record that is stored: a part's percent only ever rises. */
export function noteOn(
  stored: Job | undefined,
  { leaseId, part, percent }: PartNote,
): { job: JobIn<'processing'> } | Exclude<NoteResult, 'noted'> {
  if (stored?.state !== 'processing' || stored.leaseId !== leaseId || !stored.partProgress) return 'lost';
  if ((stored.partProgress[part] ?? -1) >= percent) return 'needless';
  return { job: { ...stored, partProgress: { ...stored.partProgress, [part]: percent } } };
}

/** How far a job is, in percent: what was last written of it, or what its parts have come to since. */
export function progressOf(job: Job): number {
  if (job.state !== 'processing' || !job.execution) return job.progress;
  const sum = Object.values(job.partProgress ?? {}).reduce((total, percent) => total + percent, 0);
  const joined = overallProgress('transcoding', sum / 100 / job.execution.parts);
  return Math.max(job.progress, joined);
}
