import { workPrefix } from '../../core/chunks/work-keys.ts';
import { mayStillBeWritten, swept, sweptTombstone } from '../../core/jobs/after-the-end.ts';
import type { JobLogs } from '../../core/jobs/attempt-log.ts';
import type { EndedJob, JobIn } from '../../core/jobs/job.ts';
import type { Clock, JobTable, MediaFiles } from '../../core/jobs/ports.ts';
import { attemptPrefix, jobPrefix } from '../../core/jobs/stored-file.ts';
import type { DeliveryJournal } from '../../core/webhooks/ports.ts';

export type SweepPorts = {
  jobs: JobTable;
  files: Pick<MediaFiles, 'removeAll'>;
  journal: Pick<DeliveryJournal, 'removeAll'>;
  logs: Pick<JobLogs, 'removeAll'>;
  clock: Clock;
};

/** Removes what lost attempts left behind, once none of their workers can still be writing. */
export async function sweepLosers(ports: SweepPorts, job: EndedJob): Promise<'swept'> {
  const keep = job.state === 'completed' ? { except: attemptPrefix(job.jobId, job.attempt) } : {};
  await ports.files.removeAll(jobPrefix(job.jobId), keep);
  await ports.files.removeAll(workPrefix(job.jobId));
  await ports.jobs.write(swept(job));
  return 'swept';
}

/**
 * Removes every file and log of a deleted job at once, and its delivery attempts with the last sweep: until then they
 * keep a delivery that had begun from making an attempt twice.
 */
export async function sweepDeleted(ports: SweepPorts, job: JobIn<'deleted'>): Promise<'swept'> {
  const now = ports.clock.now();
  await ports.files.removeAll(jobPrefix(job.jobId));
  await ports.files.removeAll(workPrefix(job.jobId));
  await ports.logs.removeAll(job);
  if (!mayStillBeWritten(job, now)) await ports.journal.removeAll(job);
  await ports.jobs.write(sweptTombstone(job, now));
  return 'swept';
}
