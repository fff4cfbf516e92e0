import { beforeEach, describe, expect, it } from 'vitest';
import { jobTable } from '../../adapters/dynamodb/job-table.ts';
import type { JobTable } from '../../core/jobs/ports.ts';
import type { JobRecord } from '../../core/jobs/record.ts';
import { memoryJobTable } from '../../lab/simulation/memory/job-table.ts';
import { endedCases, type GuardCase, parallelCases, unfinishedCases } from './guard-cases.ts';
import { aNewOwner, bothStores } from './stores.ts';

const casesOf = (ownerId: string): GuardCase[] => [
  ...unfinishedCases(ownerId),
  ...parallelCases(ownerId),
  ...endedCases(ownerId),
];
const rejections = casesOf('').flatMap(({ name, rejectedOver }) => rejectedOver.map(([what]) => ({ name, what })));

describe.each(bothStores(jobTable, memoryJobTable))('the job table %s', (_, open) => {
  let jobs: JobTable;
  let ownerId: string;
  beforeEach(async () => {
    jobs = await open();
    ownerId = aNewOwner();
  });
  const store = (job: JobRecord) => jobs.write({ job, guard: { absent: true } });
  const caseOf = (name: string) => casesOf(ownerId).find((one) => one.name === name) as GuardCase;

  it.each(casesOf(''))('accepts $name over the record that was read', async ({ name }) => {
    const { read, change } = caseOf(name);
    await store(read);
    expect(await jobs.write(change)).toEqual({ written: true });
    expect(await jobs.get(read)).toEqual(change.job);
  });

  it.each(rejections)('rejects $name over $what', async ({ name, what }) => {
    const { change, rejectedOver } = caseOf(name);
    const since = new Map(rejectedOver).get(what) as JobRecord;
    await store(since);
    expect(await jobs.write(change)).toEqual({ written: false, current: since });
    expect(await jobs.get(since)).toEqual(since);
  });
});
