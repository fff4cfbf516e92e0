import { expect, it } from 'vitest';
import { create } from '../../../core/jobs/transitions.ts';
import { startPool } from '../../../functions/reconcile/start-pool.ts';
import { memoryJobTable } from '../../../lab/simulation/memory/job-table.ts';
import { aJobId, aQueuedJob, aRequest, start } from '../../builders/jobs/jobs.ts';
import { reconcileDeps } from '../../builders/jobs/reconcile-deps.ts';

/** The names of the executions that a run of reconcile starts. */
async function started({ waiting, running, maxTasks = 3 }: { waiting: number; running: number; maxTasks?: number }) {
  const jobs = memoryJobTable();
  const { urlSecret } = aQueuedJob();
  const request = { ...aRequest, speed: 'economy' as const };
  for (let n = 1; n <= waiting; n += 1)
    await jobs.write(create({ ownerId: 'owner-1', jobId: aJobId(n), urlSecret, request, now: start }));
  const names: string[] = [];
  let counted = 0;
  const machine = {
    start: async (name: string) => void names.push(name),
    countRunning: async () => {
      counted += 1;
      return running;
    },
  };
  await startPool({ ...reconcileDeps({}), jobs, pool: { machine, maxTasks } });
  return { names, counted };
}

it.each([
  [{ waiting: 1, running: 0 }, 1],
  [{ waiting: 25, running: 1 }, 2],
  [{ waiting: 25, running: 3 }, 0],
  [{ waiting: 95, running: 0 }, 3],
])('a run with %j starts %d tasks, each by a name of its own', async (stage, count) => {
  const { names } = await started(stage);
  expect(new Set(names).size).toBe(count);
});

it('a run without waiting economy jobs calls nothing', async () => {
  expect(await started({ waiting: 0, running: 0 })).toEqual({ names: [], counted: 0 });
});
