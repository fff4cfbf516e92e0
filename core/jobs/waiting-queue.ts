import type { JobRef, JobTable, WaitingQuery } from './ports.ts';
import type { Job } from './record.ts';

/** The waiting jobs of one owner, oldest first. */
export type WaitingOwner = { ownerId: string; jobIds: readonly string[] };

/** What a worker remembers of its claims: their number, and the owner that was last in the order of owners. */
export type ClaimHistory = {
  claims: number;
  lastOwnerId?: string;
  /** Where in the queue the order begins, as a fraction of its length: 0 to below 1. */
  firstOwner?: number;
};

export function addClaim(history: ClaimHistory, { ownerId }: Pick<JobRef, 'ownerId'>): ClaimHistory {
  const claims = history.claims + 1;
  return followsOrder(history) ? { ...history, claims, lastOwnerId: ownerId } : { ...history, claims };
}

function followsOrder({ claims }: ClaimHistory): boolean {
  return claims % 2 === 0;
}

/**
 * The owner whose job is claimed next. Every second claim goes to the owner with the fewest waiting jobs, so that a few
 * jobs do not wait behind thousands: of two owners the one with fewer gets three of four claims. The others go to all
 * owners in their order, so that no owner waits for ever. Each worker begins at another owner, because Lambda may end a
 * worker before it has reached them all.
 *
 * @param queue the owners with waiting jobs, by their ids
 */
export function chooseOwner(queue: readonly WaitingOwner[], history: ClaimHistory): WaitingOwner | undefined {
  const { lastOwnerId, firstOwner = 0 } = history;
  const next =
    lastOwnerId === undefined
      ? queue[Math.floor(firstOwner * queue.length)]
      : queue.find(({ ownerId }) => ownerId > lastOwnerId);
  const inOrder = next ?? queue[0];
  if (inOrder === undefined || followsOrder(history)) return inOrder;
  return queue.reduce((fewest, owner) => (owner.jobIds.length < fewest.jobIds.length ? owner : fewest), inOrder);
}

/** A worker reads about this many waiting jobs of one owner at most. */
const maxReadPerOwner = 100;

/** The queue without an owner, or without one of its jobs. */
export function removeFromQueue(
  queue: readonly WaitingOwner[],
  { ownerId, jobId }: { ownerId: string; jobId?: string },
): WaitingOwner[] {
  return queue.flatMap((owner) => {
    if (owner.ownerId !== ownerId) return [owner];
    const jobIds = jobId === undefined ? [] : owner.jobIds.filter((id) => id !== jobId);
    return jobIds.length === 0 ? [] : [{ ownerId, jobIds }];
  });
}

const maxPages = 10;

/**
 * Reads the owners with waiting jobs in a queue, about 100 jobs of each, so that thousands of jobs of one owner take one
 * page. If there are more pages, the next read continues after the owner `unreadAfter`, so that no owner stays unread.
 */
export async function readQueue(
  jobs: { waiting: JobTable['waiting'] },
  { queue, unreadAfter }: { queue?: Job['queue']; unreadAfter?: string | undefined } = {},
): Promise<{ queue: WaitingOwner[]; unreadAfter: string | undefined }> {
  const refs: JobRef[] = [];
  let after: WaitingQuery['after'] = unreadAfter === undefined ? undefined : { ownerId: unreadAfter };
  for (let pages = 0; pages < maxPages; pages += 1) {
    const page = await jobs.waiting({ queue, after, limit: maxReadPerOwner });
    refs.push(...page);
    const last = page.at(-1);
    if (last === undefined || page.length < maxReadPerOwner) {
      return { queue: groupByOwner(refs), unreadAfter: undefined };
    }
    const read = refs.filter(({ ownerId }) => ownerId === last.ownerId).length;
    after = read < maxReadPerOwner ? last : { ownerId: last.ownerId };
  }
  return { queue: groupByOwner(refs), unreadAfter: after?.ownerId };
}

/** Groups the jobs of each owner; the owners sorted by id. */
export function groupByOwner(refs: readonly JobRef[]): WaitingOwner[] {
  const queue = new Map<string, string[]>();
  for (const { ownerId, jobId } of refs) {
    const jobIds = queue.get(ownerId) ?? [];
    jobIds.push(jobId);
    queue.set(ownerId, jobIds);
  }
  return [...queue]
    .map(([ownerId, jobIds]) => ({ ownerId, jobIds }))
    .sort((one, other) => (one.ownerId < other.ownerId ? -1 : 1));
}

/** What a worker remembers of a queue: its claims, and the owner after which the next read continues. */
export type QueueReader = { current: ClaimHistory; unreadAfter?: string | undefined };
