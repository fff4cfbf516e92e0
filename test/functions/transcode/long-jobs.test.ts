import { describe, expect, it } from 'vitest';
import { enterLimit as enterQueueLimit, leaveLimit } from '../../../core/jobs/job-queue.ts';
import type { JobRef } from '../../../core/jobs/ports.ts';
import { longAfterSeconds, maxShortSeconds } from '../../../core/jobs/queues.ts';
import type { Lease } from '../../../core/worker/worker-context.ts';
import { claimNextJob } from '../../../functions/open-job/claim-job.ts';
import { watchLongLimit } from '../../../functions/transcode/attempt.ts';
import { aJobId, aProcessingJob, aQueuedJob, later } from '../../builders/jobs/jobs.ts';
import { withPorts, workerPorts } from '../../builders/jobs/worker-ports.ts';

/** A stage with waiting jobs: of which owner, and of which queue. */
async function aStage(workers: number, waiting: readonly { ownerId: string; queue?: 'long' }[]) {
  let ids = 0;
  const messages: JobRef[] = [];
  const deps = workerPorts({
    newId: () => `lease-${++ids}`,
    queue: { send: async (ref) => void messages.push(ref), workers },
  });
  const refs: JobRef[] = [];
  for (const [n, { ownerId, ...fields }] of waiting.entries()) {
    const job = { ...aQueuedJob({ ownerId, jobId: aJobId(n + 1) }), ...fields };
    await deps.jobs.write({ job, guard: { absent: true } });
    refs.push({ ownerId, jobId: job.jobId });
  }
  const enterLimit = async (count: number) => {
    for (let n = 0; n < count; n += 1) {
      const entry = { ownerId: 'busy', jobId: `busy-${n}`, attempt: 1 };
      expect(await enterQueueLimit(deps, entry, { limited: 'long', shortWaits: false })).toBe(true);
    }
  };
  return { deps, refs, messages, enterLimit };
}

const long = { ownerId: 'a', queue: 'long' } as const;
const short = { ownerId: 'b' };

describe('a claim', () => {
  it('is of a waiting long job first, also for the message of another', async () => {
    const { deps, refs, messages } = await aStage(4, [short, long]);
    const [ofShort, ofLong] = refs;
    if (ofShort === undefined) throw new Error('Two jobs wait');
    expect(await claimNextJob(deps, ofShort)).toMatchObject({ ...ofLong, queue: 'long' });
    expect(messages).toEqual([ofShort]);
  });

  it('is of a short job while all permits of long ones are taken', async () => {
    const { deps, refs, messages, enterLimit } = await aStage(4, [long, short]);
    const [ofLong, ofShort] = refs;
    if (ofLong === undefined) throw new Error('Two jobs wait');
    await enterLimit(3);
    expect(await claimNextJob(deps, ofLong)).toMatchObject({ ...ofShort });
    expect(await claimNextJob(deps, ofLong)).toBeUndefined();
    await leaveLimit(deps, { ownerId: 'busy', jobId: 'busy-1', attempt: 1 }, 'long');
    expect(messages).toEqual([ofLong, ofLong]);
    expect(await claimNextJob(deps, ofLong)).toMatchObject({ ...ofLong });
  });

  it('leaves the limit without a message if the owner has reached its limit of running jobs, so that no message repeats itself', async () => {
    const { deps, refs, messages } = await aStage(4, [long]);
    const [ofLong] = refs;
    if (ofLong === undefined) throw new Error('A job waits');
    const running = aProcessingJob({ ownerId: 'a', jobId: aJobId(9) });
    await deps.jobs.write({ job: running, guard: { absent: true } });
    await deps.queue.running.enter(running, { max: 1 });
    expect(await claimNextJob(withPorts(deps, { queue: { maxRunningJobs: 1 } }), ofLong)).toBeUndefined();
    expect(messages).toEqual([]);
    expect(await deps.queue.running.leave(running)).toMatchObject({ next: ofLong });
    expect(await claimNextJob(withPorts(deps, { queue: { maxRunningJobs: 1 } }), ofLong)).toMatchObject(ofLong);
  });

  it('of two workers leaves one to short jobs only while one waits', async () => {
    const { deps, refs, enterLimit } = await aStage(2, [long, short]);
    const [ofLong, ofShort] = refs;
    if (ofLong === undefined) throw new Error('Two jobs wait');
    await enterLimit(1);
    expect(await claimNextJob(deps, ofLong)).toMatchObject({ ...ofShort });
    expect(await claimNextJob(deps, ofLong)).toMatchObject({ ...ofLong });
  });
});

describe('the queue of a claimed job', () => {
  const aQueue = async ({ taken = 0, queue }: { taken?: number; queue?: 'long' } = {}) => {
    const { deps, enterLimit } = await aStage(4, []);
    await enterLimit(taken);
    const job = { ...aProcessingJob(), claimedAt: deps.clock.now().toISOString(), ...(queue && { queue }) };
    const marks: string[] = [];
    const sleeps: number[] = [];
    let wake = () => {};
    // Sleeps until the test wakes it, or the queue stops.
    const sleep = (milliseconds: number, signal?: AbortSignal) =>
      new Promise<void>((resolve) => {
        sleeps.push(milliseconds);
        wake = resolve;
        signal?.addEventListener('abort', () => resolve());
      });
    const clock = { ...deps.clock, sleep };
    const lease = { markLong: () => void marks.push('long') } as unknown as Lease;
    const watched = watchLongLimit({ ...deps, clock }, job, { lease, deadline: later(900_000) });
    return { queue: watched, marks, sleeps, wake: () => wake() };
  };

  it.each([
    ['stays short if little time is expected', 3, 0, []],
    ['is long if more is expected, and the job takes a permit', 2, 1, ['long']],
  ])('%s', async (_, taken, more, marked) => {
    const { queue, marks } = await aQueue({ taken });
    await queue.expectSeconds(longAfterSeconds + more);
    await queue.stop();
    expect([marks, queue.isFull()]).toEqual([marked, false]);
  });

  it('has no permit for another job: its worker stops', async () => {
    const { queue, marks } = await aQueue({ taken: 3 });
    expect(await queue.expectSeconds(longAfterSeconds + 1)).toBe('full');
    expect(queue.isFull()).toBe(true);
    await queue.stop();
    expect(marks).toEqual([]);
  });

  it('is long after two minutes, whatever was expected', async () => {
    const { queue, sleeps, wake } = await aQueue({ taken: 3 });
    await queue.expectSeconds(1);
    expect(sleeps).toEqual([maxShortSeconds * 1_000]);
    wake();
    await new Promise<void>((resolve) => queue.signal.addEventListener('abort', () => resolve()));
    expect(queue.isFull()).toBe(true);
    await queue.stop();
  });

  it('keeps the permit with which it was claimed', async () => {
    const { queue, marks } = await aQueue({ taken: 3, queue: 'long' });
    await queue.expectSeconds(500);
    await queue.stop();
    expect(marks).toEqual([]);
    expect(queue.isFull()).toBe(false);
  });
});
