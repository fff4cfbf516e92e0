import type { Client } from '@media-jobs/client';
import type { JobResource } from '@media-jobs/core/api';
import { expect, it } from 'vitest';
import { readPage } from '../../src/job-list/read-page.ts';

const job = { jobId: 'a' } as JobResource;

it('a page of the list is the next one that has jobs', async () => {
  const pages = [
    { jobs: [], nextCursor: 'second' },
    { jobs: [], nextCursor: 'third' },
    { jobs: [job], nextCursor: 'fourth' },
  ];
  const cursors: unknown[] = [];
  const listJobs: Client['listJobs'] = async (request) => {
    cursors.push(request?.query?.cursor);
    return pages.shift() ?? { jobs: [], nextCursor: null };
  };
  const read = (cursor?: string) => readPage({ listJobs }, {}, cursor, new AbortController().signal);
  expect(await read()).toMatchObject({ jobs: [job], nextCursor: 'fourth' });
  expect(await read('fourth')).toMatchObject({ jobs: [], nextCursor: null });
  expect(cursors).toEqual([undefined, 'second', 'third', 'fourth']);
});
