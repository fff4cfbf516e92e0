import { expect, it, vi } from 'vitest';
import { maxAttempts } from '../../../core/jobs/durations.ts';
import type { JobTable } from '../../../core/jobs/ports.ts';
import { cancel } from '../../../core/jobs/termination.ts';
import { viewJob } from '../../../core/jobs/view.ts';
import { holdLease, type Lease } from '../../../core/worker/worker-context.ts';
import { memoryJobTable } from '../../../lab/simulation/memory/job-table.ts';
import { aProcessingJob, later } from '../../builders/jobs/jobs.ts';
import { aSteppedClock } from '../../builders/jobs/stepped-clock.ts';

async function held(work: (stage: Held) => Promise<void>, job = aProcessingJob()): Promise<void> {
  const writes = vi.fn();
  const jobs = memoryJobTable({ onWritten: writes });
  await jobs.write({ guard: { absent: true }, job });
  writes.mockClear();
  const { clock, beat } = aSteppedClock();
  const lease = holdLease({ jobs, clock }, job);
  const shown = async () => {
    const stored = await jobs.get(job);
    if (stored === undefined || stored.state === 'deleted') throw new Error('The job has gone');
    return viewJob(stored, {});
  };
  await work({ jobs, lease, beat, shown, writes: () => writes.mock.calls.length });
  await lease.release();
}

type Held = {
  jobs: JobTable;
  lease: Lease;
  beat: () => Promise<void>;
  shown: () => Promise<ReturnType<typeof viewJob>>;
  writes: () => number;
};

it('stage, percent and estimated end are written 4 s after the last write, however often they are reported', () =>
  held(async ({ lease, beat, shown, writes }) => {
    for (const percent of [10, 20, 30]) {
      lease.report({ stage: 'transcoding', fraction: percent / 100, remainingSeconds: 70 - percent });
    }
    await beat();
    expect(writes()).toBe(0);
    await beat();
    expect(writes()).toBe(1);
    expect(await shown()).toMatchObject({
      stage: 'transcoding',
      progress: 35,
      updatedAt: later(5_000).toISOString(),
      estimatedEndAt: later(41_000).toISOString(),
    });
  }));

it('in the last attempt a new stage is written at once, so that the error of a lost worker names it', () =>
  held(
    async ({ lease, shown, writes }) => {
      for (const stage of ['downloading', 'transcoding'] as const) {
        lease.report({ stage, fraction: 0 });
        lease.report({ stage, fraction: 0.1 });
        await expect.poll(async () => (await shown()).stage).toBe(stage);
      }
      expect(writes()).toBe(2);
    },
    { ...aProcessingJob(), attempt: maxAttempts },
  ));

it('the queue is written at the next heartbeat', () =>
  held(async ({ lease, beat, writes }) => {
    lease.markLong();
    await beat();
    expect(writes()).toBe(1);
  }));

it('a heartbeat without progress writes nothing until half of the lease has passed, and then moves its end', () =>
  held(async ({ jobs, lease, beat, shown, writes }) => {
    lease.report({ stage: 'transcoding', fraction: 0.5, remainingSeconds: 10 });
    for (let beats = 0; beats < 2; beats += 1) await beat();
    const { progress, estimatedEndAt } = await shown();
    const leaseEnd = async () => (await jobs.get(aProcessingJob()))?.dueAt;
    for (let beats = 0; beats < 12; beats += 1) await beat();
    expect([writes(), await leaseEnd()]).toEqual([1, later(50_000).toISOString()]);
    await beat();
    expect([writes(), await leaseEnd()]).toEqual([2, later(71_000).toISOString()]);
    expect(await shown()).toMatchObject({ progress, estimatedEndAt });
  }));

it('the percent never falls, and the estimated end goes with its stage', () =>
  held(async ({ lease, beat, shown }) => {
    const twoBeats = async () => {
      await beat();
      await beat();
    };
    lease.report({ stage: 'transcoding', fraction: 0.5, remainingSeconds: 10 });
    await twoBeats();
    lease.report({ stage: 'transcoding', fraction: 0.2, remainingSeconds: 10 });
    await twoBeats();
    expect((await shown()).progress).toBe(52);
    lease.report({ stage: 'uploading', fraction: 0 });
    await twoBeats();
    const job = await shown();
    expect([job.stage, job.progress, job.estimatedEndAt]).toEqual(['uploading', 95, undefined]);
  }));

it('the time at which each stage began is written with the next progress, and kept at the end', () =>
  held(async ({ lease, beat, shown }) => {
    lease.report({ stage: 'downloading', fraction: 0 });
    await beat();
    lease.report({ stage: 'transcoding', fraction: 0 });
    await beat();
    lease.report({ stage: 'transcoding', fraction: 0.1 });
    const stages = [
      { stage: 'downloading', startedAt: expect.any(String) },
      { stage: 'transcoding', startedAt: expect.any(String) },
    ];
    const written = (await shown()).stages;
    expect(written).toEqual(stages);
    expect(viewJob(await lease.release(), {}).stages).toEqual(written);
  }));

it('the signal of a lease aborts at the next heartbeat after a cancel', async () => {
  const job = aProcessingJob();
  const jobs = memoryJobTable();
  await jobs.write({ guard: { absent: true }, job });
  const { clock, wake } = aSteppedClock();
  const lease = holdLease({ jobs, clock }, job);
  await jobs.write(cancel(job, { now: later(1_500), webhookTarget: null, deliveryId: 'delivery-1' }));
  await wake();
  await expect.poll(() => lease.signal.aborted).toBe(true);
  expect(lease.signal.reason).toMatchObject({ name: 'LeaseLostError' });
});

it('a lease outlasts an outage of the table, and is renewed after it', async () => {
  const job = aProcessingJob();
  const jobs = memoryJobTable();
  await jobs.write({ guard: { absent: true }, job });
  let isDown = true;
  const get: JobTable['get'] = (ref) => (isDown ? Promise.reject(new Error('The table is down')) : jobs.get(ref));
  const { clock, beat } = aSteppedClock();
  const lease = holdLease({ jobs: { ...jobs, get }, clock }, job);
  for (let beats = 0; beats < 30; beats += 1) await beat();
  expect(lease.signal.aborted).toBe(false);
  isDown = false;
  await beat();
  await lease.release();
  expect((await jobs.get(job))?.dueAt).toBe(later(103_000).toISOString());
});
