import type { JobResource } from '@media-jobs/core/api';
import { describe, expect, it } from 'vitest';
import { mergeNewJobs } from '../../src/job-list/loaded-pages.ts';

describe('new jobs', () => {
  const job = (jobId: string) => ({ jobId }) as JobResource;
  const data = {
    pages: [
      { jobs: [job('c'), job('b')], nextCursor: 'x', readAt: 0 },
      { jobs: [job('a')], nextCursor: null, readAt: 0 },
    ],
    pageParams: [undefined, 'x'],
  };

  it('are inserted at the top of the first page without duplicates', () => {
    const pages = mergeNewJobs(data, [job('d'), job('c'), job('a')])?.pages;
    expect(pages?.map(({ jobs }) => jobs.map(({ jobId }) => jobId))).toEqual([['d', 'c', 'b'], ['a']]);
  });

  it('are inserted in order of creation', () => {
    const pages = mergeNewJobs({ ...data, pages: [{ jobs: [job('d'), job('b')], nextCursor: null, readAt: 0 }] }, [
      job('c'),
    ])?.pages;
    expect(pages?.map(({ jobs }) => jobs.map(({ jobId }) => jobId))).toEqual([['d', 'c', 'b']]);
  });

  it('leave the same pages if there are none', () => {
    expect(mergeNewJobs(data, [job('c')])).toBe(data);
  });
});
