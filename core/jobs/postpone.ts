import { after, durations } from './durations.ts';
import type { JobChange } from './guard.ts';
import type { JobRecord } from './job.ts';

/** Puts a due job that could not be brought forward behind all that has been due for longer; nothing else changes. */
export function postpone(job: JobRecord, now: Date): JobChange {
  return {
    guard: { state: job.state, dueAt: job.dueAt ?? null },
    job: { ...job, dueAt: after(now, durations.postponed) },
  };
}
