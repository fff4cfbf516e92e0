import { expect, it } from 'vitest';
import type { OtherWorkerInput } from '../../../core/jobs/ports.ts';
import { startOtherWorker } from '../../../functions/transcode/start-other-worker.ts';
import { aJobId, aProcessingJob, later } from '../../builders/jobs/jobs.ts';
import { workerDeps } from '../../builders/jobs/worker-deps.ts';
import { aVirtualClock } from '../../builders/system/virtual-clock.ts';
import { memoryJobStateMachine } from '../../memory/job-state-machine.ts';
import { memoryJobTable } from '../../memory/job-table.ts';

const otherWorker = { name: 'large', reason: 'Another worker encodes it' } as const;

/** The inputs of the executions of 20 jobs of one owner. */
async function inputsOfJobs(maxConcurrency?: number): Promise<OtherWorkerInput[]> {
  const jobs = memoryJobTable({});
  const machine = memoryJobStateMachine<OtherWorkerInput>();
  const deps = workerDeps({ jobs, clock: aVirtualClock(later(10_000)) });
  for (const number of Array.from({ length: 20 }).keys()) {
    const job = aProcessingJob({ jobId: aJobId(number) });
    await jobs.write({ guard: { absent: true }, job });
    expect(await startOtherWorker(deps, job, { machine, maxConcurrency, otherWorker })).toBe('delegated');
  }
  return [...machine.running.values()].flatMap((input) => input ?? []);
}

it.each([
  ['three of four functions', 4, 3],
  ['one of two functions', 2, 1],
])('the jobs of an owner wait in the message groups of its share: %s', async (_, maxConcurrency, groups) => {
  const inputs = await inputsOfJobs(maxConcurrency);
  const { ownerId } = aProcessingJob();
  const expected = Array.from({ length: groups }, (_each, number) => `${ownerId}#${number}`);
  expect(new Set(inputs.map(({ group }) => group))).toEqual(new Set(expected));
});

it('a worker without a queue gets no message group', async () => {
  expect((await inputsOfJobs()).filter((input) => 'group' in input)).toEqual([]);
});
