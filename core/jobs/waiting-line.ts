import type { JobRef } from './ports.ts';

/** The waiting jobs of one owner, oldest first. */
export type WaitingOwner = { ownerId: string; jobIds: readonly string[] };

/** What a worker remembers of its claims: their number, and the owner that was last in turn. */
export type Turn = { claims: number; lastOwnerId?: string };

/** The turn after a claim. */
export function nextTurn(turn: Turn, { ownerId }: JobRef): Turn {
  const claims = turn.claims + 1;
  return goesInTurn(turn) ? { claims, lastOwnerId: ownerId } : { ...turn, claims };
}

function goesInTurn({ claims }: Turn): boolean {
  return claims % 2 === 0;
}

/**
 * The owner whose job is claimed next. Every second claim goes to the owner with the fewest waiting jobs, so that a few
 * jobs do not wait behind thousands: of two owners the one with fewer gets three of four claims. The others go to all
 * owners in turn, so that no owner waits for ever.
 *
 * @param line the owners with waiting jobs, by their ids
 */
export function chooseOwner(line: readonly WaitingOwner[], turn: Turn): WaitingOwner | undefined {
  const { lastOwnerId = '' } = turn;
  const inTurn = line.find(({ ownerId }) => ownerId > lastOwnerId) ?? line[0];
  if (inTurn === undefined || goesInTurn(turn)) return inTurn;
  return line.reduce(
    (fewest, owner) => (owner.jobIds.length < fewest.jobIds.length ? owner : fewest),
    inTurn,
  );
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
