import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jobTable } from '../../../adapters/dynamodb/job-table.ts';
import { usageRecords } from '../../../adapters/dynamodb/usage-records.ts';
import type { JobRecord } from '../../../core/jobs/record.ts';
import { deleteJob } from '../../../core/jobs/terminal-transitions.ts';
import type { UsageRecords } from '../../../core/jobs/usage.ts';
import { aCompletedJob } from '../../builders/jobs/ended-jobs.ts';
import { aJobId, aQueuedJob } from '../../builders/jobs/jobs.ts';
import { aDynaliteTable } from '../../builders/storage/dynalite-table.ts';

const day = Date.parse('2026-03-01T00:00:00.000Z');
const at = (milliseconds: number) => new Date(day + milliseconds);
const dayMs = 86_400_000;
const ownerId = 'owner-1';

let table: Awaited<ReturnType<typeof aDynaliteTable>>;
let records: UsageRecords;

const jobAt = (n: number, milliseconds: number) =>
  aQueuedJob({ ownerId, jobId: aJobId(n, at(milliseconds)), createdAt: at(milliseconds) });
const ended = aCompletedJob({ ownerId, jobId: aJobId(4, at(4_000)), createdAt: at(4_000).toISOString() });

beforeAll(async () => {
  table = await aDynaliteTable();
  records = usageRecords(table.client, table.tableName);
  const jobs = jobTable(table.client, table.tableName);
  const stored: JobRecord[] = [
    jobAt(1, -1),
    jobAt(2, 0),
    jobAt(3, dayMs - 1),
    ended,
    deleteJob(aCompletedJob({ ownerId, jobId: aJobId(5, at(5_000)) }), at(6_000)).job,
    jobAt(6, dayMs),
    aQueuedJob({ ownerId: 'owner-2', jobId: aJobId(7, at(7_000)), createdAt: at(7_000) }),
  ];
  for (const job of stored) await jobs.write({ job, guard: { absent: true } });
});
afterAll(() => table.stop());

const read = (limit: number) => records.read({ ownerId, from: at(0), until: at(dayMs), limit });

describe('usage records', () => {
  it("are the owner's undeleted jobs of a span of time, newest first", async () => {
    const { rows, truncated } = await read(10);
    expect(rows.map(({ createdAt }) => createdAt)).toEqual(
      [dayMs - 1, 4_000, 0].map((milliseconds) => at(milliseconds).toISOString()),
    );
    expect(truncated).toBe(false);
  });

  it('contain the fields that usage is computed from', async () => {
    const { rows } = await read(10);
    expect(rows[1]).toMatchObject({
      state: 'completed',
      completedAt: ended.completedAt,
      files: { output: { size_mbytes: 1.25, duration: 10 } },
    });
  });

  it('are truncated at the limit, oldest first', async () => {
    const { rows, truncated } = await read(2);
    expect(rows.map(({ createdAt }) => createdAt)).toEqual([
      at(dayMs - 1).toISOString(),
      at(4_000).toISOString(),
    ]);
    expect(truncated).toBe(true);
    expect((await read(3)).truncated).toBe(false);
  });
});
