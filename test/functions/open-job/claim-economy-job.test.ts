import { aVirtualClock } from '@media-jobs/testing/virtual-clock';
import { expect, it } from 'vitest';
import { create } from '../../../core/jobs/transitions.ts';
import { claimEconomyJob, claimNextJob } from '../../../functions/open-job/claim-job.ts';
import { memoryJobTable } from '../../../lab/simulation/memory/job-table.ts';
import { memoryRunningLimit } from '../../../lab/simulation/memory/running-limit.ts';
import { aJobId, aQueuedJob, aRequest, start } from '../../builders/jobs/jobs.ts';
import { workerPorts } from '../../builders/jobs/worker-ports.ts';

/** A stage with one waiting job of each speed. */
async function aStage() {
  const jobs = memoryJobTable();
  const { urlSecret } = aQueuedJob();
  const submit = (n: number, speed: 'standard' | 'economy') => {
    const job = { ownerId: 'owner-1', jobId: aJobId(n), urlSecret, request: { ...aRequest, speed }, now: start };
    return jobs.write(create(job));
  };
  await submit(1, 'standard');
  await submit(2, 'economy');
  const ports = workerPorts({
    jobs,
    clock: aVirtualClock(start),
    newId: () => 'lease-1',
    onClaimed: () => undefined,
    queue: { send: async () => undefined, running: memoryRunningLimit(), maxRunningJobs: 2, workers: 2 },
  });
  return { ports };
}

it('a task of the pool claims economy jobs only, in its capacity, and longer than a function', async () => {
  const { ports } = await aStage();
  const job = await claimEconomyJob(ports, 'spot');
  expect(job).toMatchObject({ jobId: aJobId(2), pool: 'spot', attempt: 1 });
  expect(await claimEconomyJob(ports, 'spot')).toBeUndefined();
});

it('a function claims no economy job, not even by a message', async () => {
  const { ports } = await aStage();
  expect(await claimNextJob(ports, { ownerId: 'owner-1', jobId: aJobId(2) })).toMatchObject({ jobId: aJobId(1) });
  expect(await claimNextJob(ports, { ownerId: 'owner-1', jobId: aJobId(2) })).toBeUndefined();
});
