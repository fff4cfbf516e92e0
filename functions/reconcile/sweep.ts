import { workPrefix } from '../../core/chunking/plan/work-files.ts';
import type { JobLogs } from '../../core/jobs/attempt-log.ts';
import type { Clock, JobTable, MediaFiles } from '../../core/jobs/ports.ts';
import type { JobIn, TerminalJob } from '../../core/jobs/record.ts';
import { attemptPrefix, jobPrefix } from '../../core/jobs/stored-file.ts';
import { markSwept, markTombstoneSwept, mayHaveActiveWriters } from '../../core/jobs/terminal-transitions.ts';
import type { DeliveryJournal } from '../../core/webhooks/ports.ts';

export type SweepDeps = {
  jobs: JobTable;
  files: Pick<MediaFiles, 'removeAll'>;
  journal: Pick<DeliveryJournal, 'removeAll'>;
  logs: Pick<JobLogs, 'removeAll'>;
  clock: Clock;
};

/** Removes what lost attempts left behind, once none of their workers can still be writing. */
export async function sweepLostAttempts(ports: SweepDeps, job: TerminalJob): Promise<'swept'> {
  const keep = job.state === 'completed' ? { except: attemptPrefix(job.jobId, job.attempt) } : {};
  await ports.files.removeAll(jobPrefix(job.jobId), keep);
  await ports.files.removeAll(workPrefix(job.jobId));
  await ports.jobs.write(markSwept(job));
  return 'swept';
}

/**
 * Removes every file and log of a deleted job at once, and its delivery attempts with the last sweep: until then they
 * keep a delivery that had begun from making an attempt twice.
 */
export async function sweepDeleted(ports: SweepDeps, job: JobIn<'deleted'>): Promise<'swept'> {
  const now = ports.clock.now();
  await ports.files.removeAll(jobPrefix(job.jobId));
  await ports.files.removeAll(workPrefix(job.jobId));
  await ports.logs.removeAll(job);
  if (!mayHaveActiveWriters(job, now)) await ports.journal.removeAll(job);
  await ports.jobs.write(markTombstoneSwept(job, now));
  return 'swept';
}
