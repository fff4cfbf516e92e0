import { describe, expect, it } from 'vitest';
import { nextEntry } from '../../../core/jobs/running-limit.ts';
import { cancel } from '../../../core/jobs/termination.ts';
import { claim, requeueForLongLimit } from '../../../core/jobs/transitions.ts';
import { countQueued, listUnfinished, processingJobs, queuedIds } from '../../../core/jobs/unfinished-jobs.ts';
import { memoryJobTable } from '../../../lab/simulation/memory/job-table.ts';
import { memoryRunningLimit } from '../../../lab/simulation/memory/running-limit.ts';
import { aJobId, aQueuedJob, later } from '../../builders/jobs/jobs.ts';

const ownerId = 'owner-1';
const minute = (n: number) => later(n * 60_000);
const idOf = (n: number) => aJobId(n, minute(n));

/** An owner with seven queued jobs, one created each minute; every change of the indexes waits for `catchUp`. */
async function anOwner() {
  const changes: (() => void)[] = [];
  const jobs = memoryJobTable({ whenIndexed: (apply) => void changes.push(apply) });
  const running = memoryRunningLimit();
  const catchUp = () => {
    for (const apply of changes.splice(0)) apply();
  };
  for (let n = 1; n <= 7; n += 1) {
    const job = aQueuedJob({ ownerId, jobId: idOf(n), createdAt: minute(n) });
    await jobs.write({ job, guard: { absent: true } });
  }
  catchUp();
  const claimJob = async (n: number) => {
    const job = await jobs.get({ ownerId, jobId: idOf(n) });
    if (job?.state !== 'queued') throw new Error('The job is queued');
    await running.enter(nextEntry(job), { max: 10 });
    const change = claim(job, `lease-${n}`, minute(10));
    await jobs.write(change);
    return change.job;
  };
  const deps = { jobs, running };
  const idsOf = async (...[state, listing]: [Parameters<typeof listUnfinished>[1], object?]) => {
    const { jobs: listed, lastJobId } = await listUnfinished(deps, state, { ownerId, limit: 3, ...listing });
    return { ids: listed.map(({ jobId }) => jobId), lastJobId };
  };
  return { ...deps, deps, catchUp, claimJob, idsOf };
}

describe('the unfinished jobs of an owner', () => {
  it('are listed by state, newest first, page after page, past those that the index still has as queued', async () => {
    const { claimJob, idsOf } = await anOwner();
    for (const n of [7, 6, 4]) await claimJob(n);
    expect(await idsOf('queued')).toEqual({ ids: [5, 3, 2].map(idOf), lastJobId: idOf(2) });
    expect(await idsOf('queued', { afterJobId: idOf(2) })).toEqual({ ids: [idOf(1)], lastJobId: undefined });
    expect(await idsOf('processing', { limit: 2 })).toEqual({ ids: [7, 6].map(idOf), lastJobId: idOf(6) });
    expect(await idsOf('processing', { afterJobId: idOf(6) })).toEqual({ ids: [idOf(4)], lastJobId: undefined });
  });

  it('of a period are those that were created in it', async () => {
    const { claimJob, idsOf } = await anOwner();
    for (const n of [2, 3, 6]) await claimJob(n);
    const period = { createdAfter: minute(3), createdBefore: minute(6) };
    expect((await idsOf('queued', period)).ids).toEqual([5, 4].map(idOf));
    expect((await idsOf('processing', period)).ids).toEqual([idOf(3)]);
    const empty = { createdAfter: minute(6), createdBefore: minute(3) };
    expect([(await idsOf('queued', empty)).ids, (await idsOf('processing', empty)).ids]).toEqual([[], []]);
  });

  it('include those that wait under the limit of long jobs', async () => {
    const { jobs, deps, catchUp, claimJob } = await anOwner();
    await jobs.write(requeueForLongLimit(await claimJob(4), minute(11)));
    catchUp();
    expect(await queuedIds(deps, { ownerId, limit: 5 })).toEqual([7, 6, 5, 4, 3].map(idOf));
    expect(await countQueued(deps, { ownerId, limit: 10 })).toBe(7);
    expect(await countQueued(deps, { ownerId, limit: 5 })).toBe(5);
  });

  it('that are processing are read for one page, and one job more', async () => {
    const { claimJob, deps } = await anOwner();
    for (const n of [1, 2, 3, 4, 5, 6]) await claimJob(n);
    const read: string[] = [];
    const get: typeof deps.jobs.get = (ref, options) => {
      read.push(ref.jobId);
      return deps.jobs.get(ref, options);
    };
    const page = await listUnfinished({ ...deps, jobs: { ...deps.jobs, get } }, 'processing', { ownerId, limit: 2 });
    expect(page).toMatchObject({ jobs: [{ jobId: idOf(6) }, { jobId: idOf(5) }], lastJobId: idOf(5) });
    expect(read).toEqual([idOf(6), idOf(5), idOf(4)]);
  });

  it('are not those whose entry was left by a crash', async () => {
    const { jobs, deps, claimJob } = await anOwner();
    const ended = await claimJob(1);
    await claimJob(2);
    await jobs.write(cancel(ended, { now: minute(12), webhookTarget: null, deliveryId: 'delivery-1' }));
    expect((await processingJobs(deps, { ownerId })).map(({ jobId }) => jobId)).toEqual([idOf(2)]);
  });
});
