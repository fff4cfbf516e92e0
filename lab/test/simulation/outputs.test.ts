// @module-tag jobs
import { expect, it } from 'vitest';
import { check } from '../../simulation/checker/check.ts';
import { historyOf, type JobHistory, lastRecord } from '../../simulation/checker/history.ts';
import { aJobScript, type JobScript } from '../../simulation/workload/job-script.ts';
import { runWorld } from '../../simulation/workload/run-world.ts';
import { noFaults } from '../../simulation/world/fault.ts';

const seconds = (n: number) => 1_000 * n;

/** A job whose first workers are killed, each after a time of its own. */
async function jobWithKilledWorkers(differences: Partial<JobScript>, killedAfterMs: number[]): Promise<JobHistory> {
  const left = [...killedAfterMs];
  const plan = { ...noFaults(), killAfterMs: (app: string) => (app === 'transcode' ? left.shift() : undefined) };
  const { entries } = await runWorld({ plan, scripts: [aJobScript({ encodeMs: seconds(20), ...differences })] });
  expect(check(entries)).toEqual([]);
  const [job] = historyOf(entries).jobs;
  if (job === undefined) throw new Error('The job was accepted');
  return job;
}

const storedNames = ({ objects }: JobHistory) =>
  objects.flatMap(({ kind, key }) => (kind === 'object-stored' ? (key.split('/').at(-2) ?? '') : []));

it('a killed worker repeats no finished output', async () => {
  const job = await jobWithKilledWorkers({ graph: 'tree' }, [seconds(30), seconds(30)]);
  expect(lastRecord(job)).toMatchObject({ state: 'completed', attempt: 3 });
  expect(storedNames(job)).toEqual(['first', 'other', 'last']);
});

it('an optional output that kills three workers fails alone, with what is made of it', async () => {
  const job = await jobWithKilledWorkers({ graph: 'optional' }, [seconds(9), seconds(9), seconds(9)]);
  const failed = { state: 'failed', error: { code: 'WORKER_LOST' } };
  expect(lastRecord(job)).toMatchObject({
    state: 'completed',
    files: { first: {} },
    ended: { spare: failed, behind: failed },
    warnings: [{ code: 'OUTPUT_FAILED' }, { code: 'OUTPUT_FAILED' }],
  });
  expect(storedNames(job)).toEqual(['first']);
});

it('a required output that kills three workers fails the job, and the error names it', async () => {
  const job = await jobWithKilledWorkers({ graph: 'tree' }, [seconds(30), seconds(9), seconds(9), seconds(9)]);
  expect(lastRecord(job)).toMatchObject({ state: 'failed', error: { code: 'WORKER_LOST', output: 'other' } });
});

it('a worker that dies before it makes any output is the fault of none', async () => {
  const job = await jobWithKilledWorkers({ graph: 'optional' }, [300, 300, 300]);
  const { state, error } = lastRecord(job) as { state: string; error: { code: string; output?: string } };
  expect([state, error.code, error.output]).toEqual(['failed', 'WORKER_LOST', undefined]);
});
