import type { JobRef, JobTable, WaitingQuery } from '../../core/jobs/ports.ts';
import type { Job } from '../../core/jobs/record.ts';
import { groupByOwner, maxReadPerOwner, type WaitingOwner } from '../../core/jobs/waiting-line.ts';

const maxPages = 10;

/**
 * Reads the owners with waiting jobs of a lane, about 100 jobs of each, so that thousands of jobs of one owner take one page. If
 * there are more pages, the next read continues after the owner `unreadAfter`, so that no owner stays unread.
 */
export async function readLine(
  jobs: Pick<JobTable, 'waiting'>,
  { lane, unreadAfter }: { lane?: Job['lane']; unreadAfter?: string | undefined } = {},
): Promise<{ line: WaitingOwner[]; unreadAfter: string | undefined }> {
  const refs: JobRef[] = [];
  let after: WaitingQuery['after'] = unreadAfter === undefined ? undefined : { ownerId: unreadAfter };
  for (let pages = 0; pages < maxPages; pages += 1) {
    const page = await jobs.waiting({ lane, after, limit: maxReadPerOwner });
    refs.push(...page);
    const last = page.at(-1);
    if (last === undefined || page.length < maxReadPerOwner) {
      return { line: groupByOwner(refs), unreadAfter: undefined };
    }
    const read = refs.filter(({ ownerId }) => ownerId === last.ownerId).length;
    after = read < maxReadPerOwner ? last : { ownerId: last.ownerId };
  }
  return { line: groupByOwner(refs), unreadAfter: after?.ownerId };
}
