import { expect, it } from 'vitest';
import { permitsByGroup, workersOfLongJobs } from '../../../core/jobs/lanes.ts';

it('long jobs may hold three quarters of the workers, and of few workers all but one while a short job waits', () => {
  const permits = (shortWaits: boolean) =>
    [1, 2, 3, 4, 5, 8, 1_000].map((workers) => workersOfLongJobs(workers, { shortWaits }));
  expect(permits(true)).toEqual([1, 1, 2, 3, 3, 6, 750]);
  expect(permits(false)).toEqual([1, 2, 3, 3, 3, 6, 750]);
});

it.each([1, 2, 3, 4, 7, 750])('%i permits are divided among the groups without a rest', (max) => {
  const groups = permitsByGroup(max);
  expect(groups.reduce((sum, group) => sum + group.max, 0)).toBe(max);
  expect(groups).toHaveLength(Math.min(max, 4));
});
