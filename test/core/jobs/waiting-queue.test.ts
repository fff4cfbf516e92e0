import { describe, expect, it } from 'vitest';
import {
  addClaim,
  type ClaimHistory,
  chooseOwner,
  groupByOwner,
  removeFromQueue,
  type WaitingOwner,
} from '../../../core/jobs/waiting-queue.ts';

const jobs = (ownerId: string, count: number) =>
  Array.from({ length: count }, (_, n) => ({ ownerId, jobId: `${ownerId}-${n}` }));

/** The owners of the next `claims` claims. */
function claim(line: WaitingOwner[], claims: number, turn: ClaimHistory = { claims: 0 }): string[] {
  const claimed: string[] = [];
  let rest = line;
  let current = turn;
  while (claimed.length < claims) {
    const owner = chooseOwner(rest, current);
    const jobId = owner?.jobIds[0];
    if (owner === undefined || jobId === undefined) break;
    claimed.push(owner.ownerId);
    rest = removeFromQueue(rest, { ownerId: owner.ownerId, jobId });
    current = addClaim(current, owner);
  }
  return claimed;
}

describe('the owner whose job is next', () => {
  it('is each owner in turn, and every second time the one with the fewest jobs', () => {
    const line = groupByOwner([...jobs('a', 100), ...jobs('b', 4)]);
    expect(claim(line, 8)).toEqual(['a', 'b', 'b', 'b', 'a', 'b', 'a', 'a']);
    const others = groupByOwner([...jobs('a', 100), ...jobs('b', 90), ...jobs('c', 3)]);
    expect(claim(others, 8)).toEqual(['a', 'c', 'b', 'c', 'c', 'b', 'a', 'b']);
  });

  it('is in three of four claims the one with few jobs, beside one with many', () => {
    const claimed = claim(groupByOwner([...jobs('b', 100), ...jobs('a', 30)]), 40);
    expect(claimed.filter((ownerId) => ownerId === 'a')).toHaveLength(30);
  });

  it('is every owner within two rounds, however many jobs the others have', () => {
    const line = groupByOwner(['a', 'b', 'c', 'd', 'e'].flatMap((ownerId, n) => jobs(ownerId, 10 + n * 20)));
    expect(new Set(claim(line, 10))).toEqual(new Set(['a', 'b', 'c', 'd', 'e']));
  });

  it('is every owner, although Lambda ends each worker before its turns have reached them all', () => {
    const line = groupByOwner(Array.from({ length: 20 }, (_, n) => jobs(`owner-${n + 10}`, 100)).flat());
    const starts = Array.from({ length: 20 }, (_, n) => n / 20);
    const claimed = starts.flatMap((firstOwner) => claim(line, 12, { claims: 0, firstOwner }));
    expect(new Set(claimed).size).toBe(20);
  });

  it('is the only owner that waits, and none if nobody waits', () => {
    expect(claim(groupByOwner(jobs('a', 3)), 5)).toEqual(['a', 'a', 'a']);
    expect(chooseOwner([], { claims: 1, lastOwnerId: 'a' })).toBeUndefined();
  });
});
