import { describe, expect, it } from 'vitest';
import type { JobResource } from '../../../core/api/job-resource.ts';
import { mergeNewJobs } from '../../../dashboard/job-list/loaded-pages.ts';
import { parseJobListSearch, toApiFilters } from '../../../dashboard/job-list/search-params.ts';

describe('the address of the list', () => {
  it('is read as far as it makes sense', () => {
    const search = { state: 'failed', from: '2026-11-01', to: '2026-13-77', page: '<script>' };
    expect(parseJobListSearch(search)).toEqual({ state: 'failed', from: '2026-11-01' });
    expect(parseJobListSearch({ state: 'unheard-of', from: 7 })).toEqual({});
  });

  it('means whole days', () => {
    const { createdAfter = '', createdBefore = '' } = toApiFilters({ from: '2026-11-20', to: '2026-11-21' });
    expect(Date.parse(createdBefore) - Date.parse(createdAfter)).toBe(2 * 24 * 3_600_000);
  });
});

describe('new jobs', () => {
  const job = (jobId: string) => ({ jobId }) as JobResource;
  const data = {
    pages: [
      { jobs: [job('c'), job('b')], nextCursor: 'x', readAt: 0 },
      { jobs: [job('a')], nextCursor: null, readAt: 0 },
    ],
    pageParams: [undefined, 'x'],
  };

  it('come on top of the first page, each once', () => {
    const pages = mergeNewJobs(data, [job('d'), job('c'), job('a')])?.pages;
    expect(pages?.map(({ jobs }) => jobs.map(({ jobId }) => jobId))).toEqual([['d', 'c', 'b'], ['a']]);
  });

  it('come between others where they were made between them', () => {
    const pages = mergeNewJobs(
      { ...data, pages: [{ jobs: [job('d'), job('b')], nextCursor: null, readAt: 0 }] },
      [job('c')],
    )?.pages;
    expect(pages?.map(({ jobs }) => jobs.map(({ jobId }) => jobId))).toEqual([['d', 'c', 'b']]);
  });

  it('change nothing where there are none', () => {
    expect(mergeNewJobs(data, [job('c')])).toBe(data);
  });
});
