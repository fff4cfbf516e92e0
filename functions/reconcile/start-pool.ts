import type { Clock, JobTable, PoolMachine } from '../../core/jobs/ports.ts';
import { economyQueue } from '../../core/jobs/queues.ts';
import { readQueue } from '../../core/jobs/waiting-queue.ts';
import { jobsPerPoolTask } from '../../core/pricing/fargate-computer.ts';

export type StartPoolDeps = {
  jobs: Pick<JobTable, 'waiting'>;
  clock: Clock;
  pool: { machine: PoolMachine; maxTasks: number };
};

/**
 * Starts the tasks of the pool that the waiting economy jobs need besides those that run. While none waits, it reads the index
 * and nothing else; a task ends by itself. Overlapping runs start the same executions. Returns how many were started.
 */
export async function startPool({ jobs, clock, pool: { machine, maxTasks } }: StartPoolDeps): Promise<number> {
  const { queue } = await readQueue(jobs, { queue: economyQueue });
  const waiting = queue.reduce((sum, { jobIds }) => sum + jobIds.length, 0);
  if (waiting === 0) return 0;
  const running = await machine.countRunning(maxTasks);
  const wanted = Math.min(maxTasks, Math.ceil(waiting / jobsPerPoolTask));
  // Executions that run wait for capacity or have begun. Their names are good for one minute, so a repeated run starts none.
  const minute = clock.now().toISOString().slice(0, 16).replace(/\D/g, '');
  for (let number = running; number < wanted; number += 1) await machine.start(`pool-${minute}-${number}`);
  return Math.max(0, wanted - running);
}
