import type { JobRef, JobTable, WaitingQuery } from './ports.ts';
import type { Job } from './record.ts';
import { workersOfOwner } from './slots.ts';

/** The waiting jobs of one owner, oldest first. */
export type WaitingOwner = { ownerId: string; jobIds: readonly string[] };

/** An owner as the choice sees it: how many jobs wait matters, not which. */
type Waiting = { ownerId: string; jobIds: { readonly length: number } };

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
export function chooseOwner<Owner extends Waiting>(line: readonly Owner[], turn: Turn): Owner | undefined {
  const { lastOwnerId, firstTurn = 0 } = turn;
  const next =
    lastOwnerId === undefined
      ? line[Math.floor(firstTurn * line.length)]
      : line.find(({ ownerId }) => ownerId > lastOwnerId);
  const inTurn = next ?? line[0];
  if (inTurn === undefined || goesInTurn(turn)) return inTurn;
  return line.reduce(
    (fewest, owner) => (owner.jobIds.length < fewest.jobIds.length ? owner : fewest),
    inTurn,
  );
}

/** A worker reads about this many waiting jobs of one owner at most. */
export const maxReadPerOwner = 100;

/** Bounds the time of a replay: the number of claims, times the number of owners. */
const maxReplayedChoices = 100_000;

/** While no owner runs out of jobs, the choices repeat after two claims for each owner. So many are replayed at least. */
const regularClaimsPerOwner = 32;

/** The workers that claim from a line. */
export type LineWorkers = {
  count: number;
  /** The owners of the jobs that hold them, the oldest job first. */
  holders: readonly string[];
};

/**
 * The number of claims up to that of an owner's job, itself included. Replays the choices of a worker, with three
 * assumptions: no further job is submitted, an owner with more jobs than were read does not run out of jobs, and every job
 * holds its worker for the same time, which decides when an owner has its share of the workers. Once no owner runs out of
 * jobs any more, the choices repeat, and the rest is computed from their pace, to within 2 percent: a job may have thousands before it.
 *
 * @param rank the place of the job among those of its owner, from 1
 */
export function claimsUntil(
  line: readonly WaitingOwner[],
  { ownerId, rank }: { ownerId: string; rank: number },
  workers: LineWorkers = { count: Number.POSITIVE_INFINITY, holders: [] },
): number {
  let owners = line.map((owner) => ({ ownerId: owner.ownerId, jobIds: { length: owner.jobIds.length } }));
  if (!owners.some((owner) => owner.ownerId === ownerId)) return rank;
  const endless = new Set(owners.filter(({ jobIds }) => jobIds.length >= maxReadPerOwner));
  const holders = [...workers.holders];
  let turn: Turn = { claims: 0 };
  let claimed = 0;
  let regularFrom = owners.length === endless.size ? { claims: 0, claimed: 0 } : undefined;
  for (let choices = 0; claimed < rank; choices += owners.length) {
    const isLong = choices > maxReplayedChoices;
    if (isLong || (regularFrom && turn.claims - regularFrom.claims >= regularClaims(owners, workers))) {
      const { claims, claimed: before } = regularFrom ?? { claims: 0, claimed: 0 };
      const claimsPerJob = (turn.claims - claims) / Math.max(1, claimed - before);
      return Math.round(turn.claims + (rank - claimed) * claimsPerJob);
    }
    while (holders.length >= workers.count) holders.shift();
    const chosen =
      chooseOwner(withinShare(owners, { ...workers, holders }), turn) ?? chooseOwner(owners, turn);
    if (chosen === undefined) return turn.claims + rank - claimed;
    turn = nextTurn(turn, chosen);
    if (Number.isFinite(workers.count)) holders.push(chosen.ownerId);
    if (chosen.ownerId === ownerId) claimed += 1;
    if (endless.has(chosen)) continue;
    chosen.jobIds.length -= 1;
    if (chosen.jobIds.length > 0) continue;
    owners = owners.filter((owner) => owner !== chosen);
    if (owners.length === endless.size) regularFrom = { claims: turn.claims, claimed };
  }
  return turn.claims;
}

/** Enough claims to know the pace of each owner, after the workers have changed hands. */
function regularClaims(owners: readonly Waiting[], { count }: LineWorkers): number {
  return regularClaimsPerOwner * owners.length + (Number.isFinite(count) ? 2 * count : 0);
}

/** The owners that hold fewer workers than their share. */
function withinShare<Owner extends Waiting>(
  owners: readonly Owner[],
  { count, holders }: LineWorkers,
): readonly Owner[] {
  const share = workersOfOwner(count);
  const held = new Map<string, number>();
  for (const ownerId of holders) held.set(ownerId, (held.get(ownerId) ?? 0) + 1);
  return owners.filter(({ ownerId }) => (held.get(ownerId) ?? 0) < share);
}

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
