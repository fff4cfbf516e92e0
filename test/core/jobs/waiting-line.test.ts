import { describe, expect, it } from 'vitest';
import {
  chooseOwner,
  claimsUntil,
  groupByOwner,
  nextTurn,
  removeFromLine,
  type Turn,
  type WaitingOwner,
} from '../../../core/jobs/waiting-line.ts';

const jobs = (ownerId: string, count: number) =>
  Array.from({ length: count }, (_, n) => ({ ownerId, jobId: `${ownerId}-${n}` }));

/** The owners of the next `claims` claims. */
function claim(line: WaitingOwner[], claims: number, turn: Turn = { claims: 0 }): string[] {
  const claimed: string[] = [];
  let rest = line;
  let current = turn;
  while (claimed.length < claims) {
    const owner = chooseOwner(rest, current);
    const jobId = owner?.jobIds[0];
    if (owner === undefined || jobId === undefined) break;
    claimed.push(owner.ownerId);
    rest = removeFromLine(rest, { ownerId: owner.ownerId, jobId });
    current = nextTurn(current, owner);
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
    const claimed = starts.flatMap((firstTurn) => claim(line, 12, { claims: 0, firstTurn }));
    expect(new Set(claimed).size).toBe(20);
  });

  it('is the only owner that waits, and none if nobody waits', () => {
    expect(claim(groupByOwner(jobs('a', 3)), 5)).toEqual(['a', 'a', 'a']);
    expect(chooseOwner([], { claims: 1, lastOwnerId: 'a' })).toBeUndefined();
  });
});

describe('the claims until a job is claimed', () => {
  const line = groupByOwner([...jobs('a', 100), ...jobs('b', 4)]);

  it('follow from the order in which owners are chosen', () => {
    const order = claim(line, 20);
    const ofA = order.flatMap((ownerId, index) => (ownerId === 'a' ? [index + 1] : []));
    expect([1, 2, 3, 4].map((rank) => claimsUntil(line, { ownerId: 'b', rank }))).toEqual([2, 3, 4, 6]);
    expect([1, 2, 3].map((rank) => claimsUntil(line, { ownerId: 'a', rank }))).toEqual(ofA.slice(0, 3));
  });

  it('count the jobs of an owner beyond those that were read', () => {
    expect(claimsUntil(line, { ownerId: 'a', rank: 5_000 })).toBe(5_004);
    expect(claimsUntil(line, { ownerId: 'a', rank: 1_000_000 })).toBeGreaterThan(900_000);
  });

  it('count with the share of the workers that each owner has', () => {
    const rank = (workers?: Parameters<typeof claimsUntil>[2]) =>
      claimsUntil(line, { ownerId: 'b', rank: 4 }, workers);
    expect(rank()).toBe(6);
    expect(rank({ count: 4, holders: ['a', 'a', 'a', 'a'] })).toBe(5);
    // Of two workers each owner has one.
    expect(rank({ count: 2, holders: ['a', 'a'] })).toBe(7);
    expect(rank({ count: 2, holders: ['a', 'b'] })).toBe(8);
  });

  it.each([
    ['any number of workers', undefined],
    ['two workers', { count: 2, holders: ['a', 'b'] }],
    ['forty workers', { count: 40, holders: [] }],
  ])('are known within 2 percent for thousands of jobs of ten owners, with %s', (_, workers) => {
    const ten = groupByOwner(Array.from('abcdefghij').flatMap((ownerId) => jobs(ownerId, 100)));
    for (const rank of [100, 900, 5_000]) {
      const claims = claimsUntil(ten, { ownerId: 'e', rank }, workers);
      expect(Math.abs(claims / (10 * rank) - 1)).toBeLessThan(0.02);
    }
  });

  it('are the position among its own jobs for an owner that the index does not list yet', () => {
    expect(claimsUntil([], { ownerId: 'c', rank: 2 })).toBe(2);
  });
});
