import { aVirtualClock } from '@media-jobs/testing/virtual-clock';
import { expect, it } from 'vitest';
import { cancel } from '../../../core/jobs/termination.ts';
import { UnreadableJobError } from '../../../core/jobs/unreadable-job-error.ts';
import { reserveCost } from '../../../core/spending/spending-counter.ts';
import { reconcile } from '../../../functions/reconcile/app.ts';
import { memoryJobTable } from '../../../lab/simulation/memory/job-table.ts';
import { memorySpendingCounters } from '../../../lab/simulation/memory/spending-counters.ts';
import { aJobId, aQueuedJob, later, start } from '../../builders/jobs/jobs.ts';
import { reconcileDeps } from '../../builders/jobs/reconcile-deps.ts';

const at = start.toISOString();
const until = later(86_400_000);

/** A counter with a reservation for a job that was never written, and for a queued, a claimed and two ended ones. */
async function aStage() {
  const [jobs, spending, clock] = [memoryJobTable(), memorySpendingCounters(), aVirtualClock(start)];
  const [lost, queued, claimed, counted, uncounted] = [1, 2, 3, 4, 5].map((n) => aQueuedJob({ jobId: aJobId(n) }));
  if (!lost || !queued || !claimed || !counted || !uncounted) throw new Error('There are five jobs');
  const end = { now: start, webhookTarget: null, deliveryId: 'd' };
  for (const job of [queued, claimed])
    await jobs.write({ job: { ...job, dueAt: until.toISOString() }, guard: { absent: true } });
  for (const [job, usageCounted] of [
    [counted, true],
    [uncounted, false],
  ] as const) {
    const { dueAt: _, ...ended } = cancel(job, end).job;
    await jobs.write({ job: { ...ended, usageCounted }, guard: { absent: true } });
  }
  const all = [lost, queued, claimed, counted, uncounted].map(({ jobId }) => jobId);
  await spending.write(lost, {
    version: 1,
    spent: {},
    latest: [],
    reserved: Object.fromEntries(all.map((jobId) => [jobId, 5])),
    unconfirmed: Object.fromEntries(all.map((jobId) => [jobId, at])),
  });
  const run = reconcile(reconcileDeps({ jobs, spending, clock }));
  return { jobs, spending, clock, run: () => run(until), lost, queued, claimed, uncounted };
}

it('what was reserved for a job that was never written or has ended is given back after two minutes', async () => {
  const { spending, clock, run, lost, queued, claimed, uncounted } = await aStage();
  clock.pass(119_000);
  await run();
  expect((await spending.read(lost)).version).toBe(1);
  await spending.write(lost, reserveCost(await spending.read(lost), claimed.jobId, 7));
  clock.pass(1_000);
  expect(await run()).toMatchObject({ failed: 0 });
  const { reserved, unconfirmed } = await spending.read(lost);
  // That of an ended job goes once its cost is counted.
  expect(reserved).toEqual({ [queued.jobId]: 5, [claimed.jobId]: 7, [uncounted.jobId]: 5 });
  expect(unconfirmed).toEqual({ [uncounted.jobId]: at });
});

it('a record that cannot be read delays no other reservation of its counter', async () => {
  const { jobs, spending, clock, run, lost, queued, claimed } = await aStage();
  const { get } = jobs;
  jobs.get = async (ref) => {
    if (ref.jobId === queued.jobId) throw new UnreadableJobError(ref, 'another version');
    return get(ref);
  };
  clock.pass(120_000);
  await run();
  const { reserved, unconfirmed = {} } = await spending.read(lost);
  expect(Object.keys(reserved)).not.toContain(lost.jobId);
  expect(Object.keys(unconfirmed)).toContain(queued.jobId);
  expect(Object.keys(unconfirmed)).not.toContain(claimed.jobId);
});

it('a counter that cannot be read is due in the next run again', async () => {
  const { spending, clock, run, lost, queued } = await aStage();
  clock.pass(120_000);
  const { read } = spending;
  spending.read = () => Promise.reject(new Error('The table failed'));
  await expect(run()).rejects.toThrow('The table failed');
  spending.read = read;
  await run();
  expect(Object.keys((await spending.read(lost)).reserved)).toContain(queued.jobId);
});
