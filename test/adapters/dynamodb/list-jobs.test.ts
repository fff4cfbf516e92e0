import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { jobItem } from '../../../adapters/dynamodb/job-item.ts';
import { jobTable } from '../../../adapters/dynamodb/job-table.ts';
import { listJobs } from '../../../adapters/dynamodb/list-jobs.ts';
import { toItem } from '../../../adapters/dynamodb/table.ts';
import type { JobListing } from '../../../core/jobs/ports.ts';
import { deleteJob } from '../../../core/jobs/removal-transitions.ts';
import { aCancelledJob } from '../../builders/jobs/ended-jobs.ts';
import { aJobId, later } from '../../builders/jobs/jobs.ts';
import { aDynaliteTable } from '../../builders/storage/dynalite-table.ts';

const ownerId = 'owner-1';
const itemsPerRefill = 3;

let table: Awaited<ReturnType<typeof aDynaliteTable>>;
let queries = 0;
beforeAll(async () => {
  table = await aDynaliteTable();
  const jobs = jobTable(table.client, table.tableName);
  // Jobs 40 and 1, and 38 deleted ones between them.
  for (let n = 1; n <= 40; n++) {
    const job = aCancelledJob({ ownerId, jobId: aJobId(n) });
    const record = n === 1 || n === 40 ? job : deleteJob(job, later(90_000)).job;
    await jobs.write({ job: record, guard: { absent: true } });
  }
  table.client.middlewareStack.add(
    (next) => (args) => {
      queries += 1;
      return next(args);
    },
    { step: 'initialize' },
  );
});

async function list(listing: Omit<JobListing, 'ownerId'>) {
  queries = 0;
  const page = await listJobs(table.client, table.tableName, { ownerId, ...listing }, itemsPerRefill);
  return { ids: page.jobs.map(({ jobId }) => jobId), lastJobId: page.lastJobId, queries };
}

it('a list ends its page after five reads that found deleted jobs', async () => {
  // Five times three records: 40 to 26.
  expect(await list({ limit: 2 })).toEqual({ ids: [aJobId(40)], lastJobId: aJobId(26), queries: 5 });
});

it('a list continues after the deleted jobs that it has read, over empty pages, to every job', async () => {
  const pages: string[][] = [];
  let afterJobId: string | undefined;
  do {
    const page = await list({ limit: 2, afterJobId });
    pages.push(page.ids);
    afterJobId = page.lastJobId;
  } while (afterJobId !== undefined);
  expect(pages).toEqual([[aJobId(40)], [], [aJobId(1)]]);
});

it('a list makes as few reads as its caller asks for', async () => {
  expect(await list({ limit: 2, maxReads: 1 })).toEqual({ ids: [aJobId(40)], lastJobId: aJobId(38), queries: 1 });
});

it.each([{}, { state: 'cancelled' as const }])(
  'a list of %o has every readable job of an owner once, and tells of each that this version cannot read',
  async (filter) => {
    const owner = 'owner-of-newer-records';
    for (let n = 1; n <= 9; n++) {
      const item = jobItem(aCancelledJob({ ownerId: owner, jobId: aJobId(n) }));
      // 1, 4, 5 and 9: at the ends of the list, and two in a row.
      const newer = [1, 4, 5, 9].includes(n) ? toItem({ createdAt: { format: 2 } }) : {};
      await table.client.send(new PutItemCommand({ TableName: table.tableName, Item: { ...item, ...newer } }));
    }
    const pages: string[][] = [];
    const unreadable = new Set<string>();
    let afterJobId: string | undefined;
    do {
      const page = await listJobs(table.client, table.tableName, { ownerId: owner, limit: 2, ...filter, afterJobId });
      pages.push(page.jobs.map(({ jobId }) => jobId));
      for (const { ownerId, jobId } of page.unreadable) unreadable.add(`${ownerId} ${jobId}`);
      afterJobId = page.lastJobId;
    } while (afterJobId !== undefined);
    expect(pages).toEqual([[8, 7].map((n) => aJobId(n)), [6, 3].map((n) => aJobId(n)), [aJobId(2)]]);
    expect([...unreadable]).toEqual([9, 5, 4, 1].map((n) => `${owner} ${aJobId(n)}`));
  },
);

describe.each([{}, { state: 'cancelled' as const }])('a position that a caller computed, in a list of %o', (filter) => {
  const lowest = '00000000-0000-0000-0000-000000000000';
  const highest = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

  it('selects jobs as any other does', async () => {
    expect((await list({ limit: 1, ...filter, afterJobId: highest })).ids).toEqual([aJobId(40)]);
    expect((await list({ limit: 1, ...filter, afterJobId: lowest })).ids).toEqual([]);
  });

  it('adds no jobs to those of a period', async () => {
    const earlier = { limit: 1, ...filter, createdBefore: new Date(0) };
    const later = { limit: 1, ...filter, createdAfter: new Date('2999-01-01') };
    for (const afterJobId of [lowest, highest]) {
      expect((await list({ ...earlier, afterJobId })).ids).toEqual([]);
      expect((await list({ ...later, afterJobId })).ids).toEqual([]);
    }
  });
});
