import type { Client } from '../../client/client.ts';
import type { JobResource } from '../../core/api/job-resource.ts';
import { isTerminalState } from '../../core/jobs/states.ts';
import type { ReadJobs } from './follow-jobs.ts';

type Known = { job: JobResource; etag: string | undefined };

/** Reads certain jobs; what has not changed is not sent again, and what has ended is not read again. */
export function readJobsById(client: Client, jobIds: readonly string[]): ReadJobs {
  const known = new Map<string, Known>();
  const read = async (id: string): Promise<JobResource> => {
    const before = known.get(id);
    if (before !== undefined && isTerminalState(before.job.state)) return before.job;
    const headers = { 'if-none-match': before?.etag };
    const answer = await client.send('getJob', { params: { id }, headers });
    if (answer.status === 200) {
      known.set(id, { job: answer.body, etag: answer.headers.get('etag') ?? undefined });
      return answer.body;
    }
    if (before === undefined) throw new TypeError('A job that was not known is said not to have changed');
    return before.job;
  };
  return () => Promise.all(jobIds.map(read));
}
