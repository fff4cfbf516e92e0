import { addMs, durations } from './durations.ts';
import type { JobChange } from './guard.ts';
import type { JobIn, JobRecord } from './record.ts';
import { versionGuard } from './transitions.ts';

/** Puts a due job that could not be brought forward behind all that has been due for longer; nothing else changes. */
export function postpone(job: JobRecord, now: Date): JobChange {
  return {
    guard: isUnfinished(job) ? versionGuard(job) : { state: job.state, dueAt: job.dueAt ?? null },
    job: { ...job, dueAt: addMs(now, durations.postponeMs) },
  };
}

function isUnfinished(job: JobRecord): job is JobIn<'queued' | 'processing'> {
  return job.state === 'queued' || job.state === 'processing';
}
