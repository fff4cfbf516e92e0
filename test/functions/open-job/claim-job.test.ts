import { describe, expect, it } from 'vitest';
import type { JobRef, WaitingQuery } from '../../../core/jobs/ports.ts';
import { UnreadableJobError } from '../../../core/jobs/unreadable-job-error.ts';
import { claimNextJob } from '../../../functions/open-job/claim-job.ts';
import { memoryJobTable } from '../../../lab/simulation/memory/job-table.ts';
import { aJobId, aProcessingJob, aQueuedJob, aRequest } from '../../builders/jobs/jobs.ts';
import { type ClaimingPorts, withPorts, workerPorts } from '../../builders/jobs/worker-ports.ts';

const none: JobRef = { ownerId: '', jobId: '' };

/** A worker's dependencies, with queued jobs in the order of their messages. */
async function aWorker(
  owners: Record<string, number>,
  {
    maxRunningJobs = 10_000,
    workers = 10_000,
    isIndexed = true,
  }: { maxRunningJobs?: number; workers?: number; isIndexed?: boolean } = {},
) {
  const jobs = memoryJobTable(isIndexed ? {} : { whenIndexed: () => undefined });
  const messages: JobRef[] = [];
  for (const [ownerId, count] of Object.entries(owners)) {
    for (let n = 0; n < count; n += 1) {
      const job = aQueuedJob({ ownerId, jobId: aJobId(messages.length + 1) });
      await jobs.write({ job, guard: { absent: true } });
      messages.push({ ownerId, jobId: job.jobId });
    }
  }
  let ids = 0;
  const deps: ClaimingPorts = workerPorts({
    jobs,
    newId: () => `lease-${++ids}`,
    queue: { send: async (ref) => void messages.push(ref), maxRunningJobs, workers },
  });
  /** Claims a job for each of the next messages, in the order in which the queue delivers them. */
  const claimFor = async (count: number) => {
    const claimed: (string | undefined)[] = [];
    for (const message of messages.splice(0, count)) {
      claimed.push((await claimNextJob(deps, message))?.ownerId);
    }
    return claimed;
  };
  return { deps, jobs, messages, claimFor };
}

describe('a claim', () => {
  it("is of the owner's oldest job, and the message of a later one is sent again", async () => {
    const { deps, messages } = await aWorker({ 'owner-1': 3 });
    const [first = none, second = none] = messages.splice(0);
    expect(await claimNextJob(deps, second)).toMatchObject({ jobId: first.jobId, state: 'processing' });
    expect(messages).toEqual([second]);
  });

  it('is of the job of the highest priority of its owner, and changes nothing between owners', async () => {
    const { deps, jobs, messages } = await aWorker({ a: 2, b: 1 });
    const urgent = aQueuedJob({ ownerId: 'a', jobId: aJobId(9), request: { ...aRequest, priority: 9 } });
    await jobs.write({ job: urgent, guard: { absent: true } });
    messages.push(urgent);
    const claimed: (string | undefined)[] = [];
    for (const message of messages.splice(0)) claimed.push((await claimNextJob(deps, message))?.jobId);
    expect(claimed).toHaveLength(4);
    expect(claimed.filter((jobId) => jobId !== aJobId(3))).toEqual([urgent.jobId, aJobId(1), aJobId(2)]);
  });

  it('is of the job of the message if another worker was first at the oldest one', async () => {
    const { deps, jobs, messages } = await aWorker({ 'owner-1': 3 });
    const [first = none, , third = none] = messages;
    const stale = await jobs.waiting({ limit: 100 });
    await claimNextJob(deps, first);
    const late = {
      ...deps,
      jobs: { ...jobs, waiting: async ({ queue }: WaitingQuery) => (queue === undefined ? stale : []) },
    };
    expect(await claimNextJob(late, third)).toMatchObject({ jobId: third.jobId });
  });

  it('is of another owner while a record cannot be read, queued or in an entry', async () => {
    const { deps, jobs, messages } = await aWorker({ a: 3, b: 1 }, { maxRunningJobs: 1 });
    const ofB = messages[3] ?? none;
    const running = aProcessingJob({ ownerId: 'a', jobId: aJobId(9) });
    await jobs.write({ job: running, guard: { absent: true } });
    const unreadable = new Set([running.jobId, ofB.jobId]);
    const reported: string[] = [];
    const worker: ClaimingPorts = {
      ...deps,
      jobs: {
        ...jobs,
        async get(ref) {
          if (unreadable.has(ref.jobId)) throw new UnreadableJobError(ref, new Error('unknown queue'));
          return jobs.get(ref);
        },
      },
      onUnexpected: ({ jobId }) => void reported.push(jobId),
    };
    const [first = none, second = none] = messages;
    worker.claims.short.current = { claims: 1 };
    expect(await claimNextJob(worker, first)).toMatchObject({ ownerId: 'a' });
    expect(reported).toEqual([ofB.jobId]);
    await deps.queue.running.enter(running, { max: 2 });
    expect(await claimNextJob(worker, second)).toBeUndefined();
    expect(reported).toContain(running.jobId);
  });

  it("takes an owner's few jobs first, although thousands of another's messages come before theirs", async () => {
    const { claimFor } = await aWorker({ busy: 2_000, few: 6 });
    const claimed = await claimFor(9);
    expect(claimed.filter((ownerId) => ownerId === 'few')).toHaveLength(6);
  });

  it('loses no job: as many messages as jobs claim every job once', async () => {
    const { claimFor, jobs } = await aWorker({ a: 130, b: 7, c: 1 });
    const claimed = await claimFor(138);
    expect(claimed.filter((ownerId) => ownerId === undefined)).toEqual([]);
    expect(await jobs.waiting({ limit: 1 })).toEqual([]);
  });

  it('is of the job of the message while the index does not list it yet', async () => {
    const { claimFor } = await aWorker({ 'owner-1': 1 }, { isIndexed: false });
    expect(await claimFor(1)).toEqual(['owner-1']);
  });

  it('of another message sends its own again while its job waits, so that every waiting job keeps one', async () => {
    const { deps, messages } = await aWorker({ a: 1, b: 1 });
    const [ofA = none, ofB = none] = messages.splice(0);
    expect(await claimNextJob(deps, ofB)).toMatchObject(ofA);
    expect(messages).toEqual([ofB]);
  });

  it('sends no message of a job that has ended', async () => {
    const { deps, jobs, messages } = await aWorker({ a: 1, b: 1 });
    const [ofA = none, ofB = none] = messages.splice(0);
    await claimNextJob(withPorts(deps, { claims: { short: { current: { claims: 0, lastOwnerId: 'a' } } } }), ofB);
    expect(await jobs.get(ofB)).toMatchObject({ state: 'processing' });
    expect(await claimNextJob(deps, ofB)).toMatchObject(ofA);
    expect(messages).toEqual([]);
  });

  it('goes on if its message cannot be sent again', async () => {
    const { deps, messages } = await aWorker({ a: 1, b: 1 });
    const [ofA = none, ofB = none] = messages;
    const causes: unknown[] = [];
    const queue = { send: () => Promise.reject(new Error('no answer')) };
    const onUnexpected: ClaimingPorts['onUnexpected'] = (_, cause) => void causes.push(cause);
    expect(await claimNextJob(withPorts(deps, { queue, onUnexpected }), ofB)).toMatchObject(ofA);
    expect(causes).toEqual([new Error('no answer')]);
  });

  it('is of the job of the message if other workers were first at all jobs before it', async () => {
    const { deps, jobs, messages } = await aWorker({ a: 20, b: 1 });
    const line = await jobs.waiting({ limit: 100 });
    for (const message of messages.filter(({ ownerId }) => ownerId === 'a')) {
      await claimNextJob({ ...deps, jobs: { ...jobs, waiting: async () => [] } }, message);
    }
    const stale = withPorts(deps, {
      jobs: { ...jobs, waiting: async () => line },
      claims: { short: { current: { claims: 0 } } },
    });
    expect(await claimNextJob(stale, { ownerId: 'b', jobId: aJobId(21) })).toMatchObject({ ownerId: 'b' });
  });

  it('leaves out owners at their limit of running jobs', async () => {
    const { claimFor } = await aWorker({ a: 20, b: 3 }, { maxRunningJobs: 2 });
    const claimed = await claimFor(23);
    expect(claimed.filter((ownerId) => ownerId === 'a')).toHaveLength(2);
    expect(claimed.filter((ownerId) => ownerId === 'b')).toHaveLength(2);
  });

  it('leaves a worker to another owner that waits, whatever the turn', async () => {
    const { claimFor } = await aWorker({ a: 3, b: 3 }, { workers: 2 });
    expect((await claimFor(2)).sort()).toEqual(['a', 'b']);
  });

  it('gives all workers to one owner while no other waits', async () => {
    const { claimFor } = await aWorker({ a: 3 }, { workers: 2 });
    expect(await claimFor(3)).toEqual(['a', 'a', 'a']);
  });

  it('goes beyond the share of the owners if no job of another can be claimed, and loses no message', async () => {
    const { claimFor, messages } = await aWorker({ a: 3, b: 3 }, { workers: 2 });
    const claimed = [];
    while (messages.length > 0) claimed.push(...(await claimFor(1)));
    expect(claimed.filter((ownerId) => ownerId !== undefined).sort()).toEqual(['a', 'a', 'a', 'b', 'b', 'b']);
  });

  it('does not count jobs that were delegated to an execution', async () => {
    const { deps, claimFor } = await aWorker({ a: 3, b: 1 }, { workers: 2 });
    const entry = { ownerId: 'a', jobId: aJobId(99), attempt: 1 };
    await deps.jobs.write({ job: aProcessingJob(entry), guard: { absent: true } });
    await deps.queue.running.enter(entry, { max: 10 });
    await deps.queue.running.releaseWorker(entry);
    expect((await claimFor(2)).sort()).toEqual(['a', 'b']);
  });

  it('ignores a repeated message', async () => {
    const { deps, messages } = await aWorker({ 'owner-1': 1 });
    const [message = none] = messages;
    await claimNextJob(deps, message);
    expect(await claimNextJob(deps, message)).toBeUndefined();
  });

  it('frees an entry that a crash left behind', async () => {
    const { deps, claimFor } = await aWorker({ a: 1 }, { maxRunningJobs: 1 });
    await deps.queue.running.enter({ ownerId: 'a', jobId: aJobId(99), attempt: 1 }, { max: 1 });
    expect(await claimFor(1)).toEqual(['a']);
  });
});
