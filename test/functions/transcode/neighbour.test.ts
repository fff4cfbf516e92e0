import { expect, it } from 'vitest';
import type { JobRef } from '../../../core/jobs/ports.ts';
import type { JobIn } from '../../../core/jobs/record.ts';
import { cancel } from '../../../core/jobs/termination.ts';
import { claimNextJob } from '../../../functions/open-job/claim-job.ts';
import { type MemoryJobTable, memoryJobTable } from '../../../lab/simulation/memory/job-table.ts';
import { memoryRunningLimit } from '../../../lab/simulation/memory/running-limit.ts';
import { aJobId, aQueuedJob, start } from '../../builders/jobs/jobs.ts';
import { workerPorts } from '../../builders/jobs/worker-ports.ts';

const workers = 4;
const jobSeconds = 10;
const few = 20;

async function submit(jobs: MemoryJobTable, messages: JobRef[], ownerId: string, count: number) {
  for (let n = 0; n < count; n += 1) {
    const jobId = aJobId(messages.length + 1 + (ownerId === 'few' ? 100_000 : 0));
    await jobs.write({ job: aQueuedJob({ ownerId, jobId }), guard: { absent: true } });
    messages.push({ ownerId, jobId });
  }
}

/**
 * The waits of an owner's few jobs in seconds, on four workers that take ten seconds per job. The owner `busy` has `backlog`
 * jobs in the queue before them, and occupies all workers at first.
 */
async function waitsBeside(backlog: number): Promise<number[]> {
  const jobs = memoryJobTable();
  const running = memoryRunningLimit();
  const messages: JobRef[] = [];
  await submit(jobs, messages, 'busy', backlog);
  let leases = 0;
  const send = async (ref: JobRef) => void messages.push(ref);
  const queue = { send, running, maxRunningJobs: 1_000_000, workers };
  const newId = () => `lease-${++leases}`;
  const pool = Array.from({ length: workers }, () => ({
    freeAt: 0,
    job: undefined as JobIn<'processing'> | undefined,
    deps: workerPorts({ jobs, queue, newId }),
  }));
  const startNext = async () => {
    const worker = pool.reduce((first, other) => (other.freeAt < first.freeAt ? other : first));
    const { job } = worker;
    if (job !== undefined) {
      await jobs.write(cancel(job, { now: start, webhookTarget: null, deliveryId: 'none' }));
      await running.leave(job);
    }
    const message = messages.shift();
    worker.job = message && (await claimNextJob(worker.deps, message));
    const startedAt = worker.freeAt;
    worker.freeAt += jobSeconds;
    return { ownerId: worker.job?.ownerId, startedAt };
  };
  for (let n = 0; n < Math.min(backlog, 10 * workers); n += 1) await startNext();
  const submittedAt = Math.max(...pool.map(({ freeAt }) => freeAt)) - (backlog === 0 ? 0 : jobSeconds);
  await submit(jobs, messages, 'few', few);
  const waits: number[] = [];
  while (waits.length < few) {
    const { ownerId, startedAt } = await startNext();
    if (ownerId === 'few') waits.push(startedAt - submittedAt);
  }
  return waits.sort((a, b) => a - b);
}

const p95 = (sorted: number[]) => sorted[Math.ceil(sorted.length * 0.95) - 1] ?? 0;

it('beside an owner with 10,000 waiting jobs the jobs of another wait at most twice as long as alone (95th percentile)', async () => {
  const alone = p95(await waitsBeside(0));
  const beside = p95(await waitsBeside(10_000));
  expect(alone).toBe(40);
  expect(beside).toBeLessThanOrEqual(2 * alone);
});
