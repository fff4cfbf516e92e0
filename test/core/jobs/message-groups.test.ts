import { describe, expect, it } from 'vitest';
import { joinGroup, messageGroup, nextMessageGroup } from '../../../core/jobs/message-groups.ts';
import { aJobId } from '../../builders/jobs/jobs.ts';

const ownerId = 'acme';

describe('the message groups of an owner', () => {
  it('are as many as its limit, over all of its jobs', () => {
    const groups = Array.from({ length: 20 }, (_, n) => aJobId(n)).flatMap((jobId) =>
      Array.from({ length: 200 }, (_, index) => messageGroup({ ownerId, jobId }, index, 3)),
    );
    expect(new Set(groups)).toEqual(new Set(['acme#0', 'acme#1', 'acme#2']));
  });

  it('share the tasks of a job evenly, and are the same again for a repeated task', () => {
    const jobId = aJobId();
    const groups = Array.from({ length: 9 }, (_, index) => messageGroup({ ownerId, jobId }, index, 3));
    for (const group of new Set(groups)) expect(groups.filter((each) => each === group)).toHaveLength(3);
    expect(messageGroup({ ownerId, jobId }, 4, 3)).toBe(groups[4]);
  });

  it('are those of no other owner', () => {
    const jobId = aJobId();
    expect(messageGroup({ ownerId: 'other', jobId }, 0, 1)).toBe('other#0');
  });

  it('follow one another, and the first follows the last', () => {
    expect(nextMessageGroup('acme#0', 3)).toBe('acme#1');
    expect(nextMessageGroup('acme#2', 3)).toBe('acme#0');
    expect(nextMessageGroup('of#acme#1', 3)).toBe('of#acme#2');
  });
});

it('without a number of groups, no task waits for another: neither of its job, nor of another, nor its own first run', () => {
  const tasks = [1, 2].flatMap((n) =>
    Array.from({ length: 5 }, (_, index) => messageGroup({ ownerId, jobId: aJobId(n) }, index, undefined)),
  );
  const groups = [...tasks, ...tasks.map((group) => nextMessageGroup(group, undefined))];
  expect(new Set(groups).size).toBe(20);
});

it('the joins of an owner share a group, those of a team have one each', () => {
  const joins = (groups: number | undefined) => [1, 2].map((n) => joinGroup({ ownerId, jobId: aJobId(n) }, groups));
  expect(joins(3)).toEqual(['acme', 'acme']);
  expect(joins(undefined)).toEqual([aJobId(1), aJobId(2)]);
});
