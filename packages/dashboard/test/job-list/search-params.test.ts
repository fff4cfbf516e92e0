import { describe, expect, it } from 'vitest';
import { parseJobListSearch, toApiFilters } from '../../src/job-list/search-params.ts';

describe('the search parameters of the list', () => {
  it('are parsed, and invalid values ignored', () => {
    const search = { state: 'failed', from: '2026-11-01', to: '2026-13-77', page: '<script>' };
    expect(parseJobListSearch(search)).toEqual({ state: 'failed', from: '2026-11-01' });
    expect(parseJobListSearch({ state: 'unknown', from: 7 })).toEqual({});
  });

  it('stand for whole days', () => {
    const { createdAfter = '', createdBefore = '' } = toApiFilters({ from: '2026-11-20', to: '2026-11-21' });
    expect(Date.parse(createdBefore) - Date.parse(createdAfter)).toBe(2 * 24 * 3_600_000);
  });
});
