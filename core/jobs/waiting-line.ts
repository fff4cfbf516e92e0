import type { JobRef, JobTable, WaitingQuery } from './ports.ts';
import type { Job } from './record.ts';

/** The waiting jobs of one owner, oldest first. */
export type WaitingOwner = { ownerId: string; jobIds: readonly string[] };

/** What a worker remembers of its claims: their number, and the owner that was last in turn. */
export type Turn = {
  claims: number;
  lastOwnerId?: string;
  /** The position in the line of the first owner in turn, as a share of its length: 0 to below 1. */
  firstTurn?: number;
};

/** The turn after a claim. */
export function nextTurn(turn: Turn, { ownerId }: Pick<JobRef, 'ownerId'>): Turn {
  const claims = turn.claims + 1;
  return goesInTurn(turn) ? { ...turn, claims, lastOwnerId: ownerId } : { ...turn, claims };
}

function goesInTurn({ claims }: Turn): boolean {
  return claims % 2 === 0;
}

/**
 * The owner whose job is claimed next. Every second claim goes to the owner with the fewest waiting jobs, so that a few
 * jobs do not wait behind thousands: of two owners the one with fewer gets three of four claims. The others go to all
 * owners in turn, so that no owner waits for ever. Each worker begins at another owner, because Lambda may end a worker
 * before its turns have reached them all.
 *
 * @param line the owners with waiting jobs, by their ids
 */
export function chooseOwner(line: readonly WaitingOwner[], turn: Turn): WaitingOwner | undefined {
  const { lastOwnerId, firstTurn = 0 } = turn;
  const next =
    lastOwnerId === undefined
      ? line[Math.floor(firstTurn * line.length)]
      : line.find(({ ownerId }) => ownerId > lastOwnerId);
  const inTurn = next ?? line[0];
  if (inTurn === undefined || goesInTurn(turn)) return inTurn;
  return line.reduce((fewest, owner) => (owner.jobIds.length < fewest.jobIds.length ? owner : fewest), inTurn);
}

/** A worker reads about this many waiting jobs of one owner at most. */
const maxReadPerOwner = 100;

/** The line without an owner, or without one of its jobs. */
export function removeFromLine(
  line: readonly WaitingOwner[],
  { ownerId, jobId }: { ownerId: string; jobId?: string },
): WaitingOwner[] {
  return line.flatMap((owner) => {
    if (owner.ownerId !== ownerId) return [owner];
    const jobIds = jobId === undefined ? [] : owner.jobIds.filter((id) => id !== jobId);
    return jobIds.length === 0 ? [] : [{ ownerId, jobIds }];
  });
}

const maxPages = 10;

/**
 * Reads the owners with waiting jobs of a lane, about 100 jobs of each, so that thousands of jobs of one owner take one
 * page. If there are more pages, the next read continues after the owner `unreadAfter`, so that no owner stays unread.
 */
export async function readLine(
  jobs: { waiting: JobTable['waiting'] },
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

/** Groups the jobs of each owner; the owners sorted by id. */
export function groupByOwner(refs: readonly JobRef[]): WaitingOwner[] {
  const line = new Map<string, string[]>();
  for (const { ownerId, jobId } of refs) {
    const jobIds = line.get(ownerId) ?? [];
    jobIds.push(jobId);
    line.set(ownerId, jobIds);
  }
  return [...line]
    .map(([ownerId, jobIds]) => ({ ownerId, jobIds }))
    .sort((one, other) => (one.ownerId < other.ownerId ? -1 : 1));
}

/** What a worker remembers of a queue: its claims, and the owner after which the next read continues. */
export type QueueReader = { current: Turn; unreadAfter?: string | undefined };
