import type { JobTable } from '../../core/jobs/ports.ts';
import type { JobRecord } from '../../core/jobs/record.ts';

/** Writes a record in any state, without its transitions. */
export async function storeJob<J extends JobRecord>(jobs: JobTable, job: J): Promise<J> {
  await jobs.write({ job, guard: { absent: true } });
  return job;
}
