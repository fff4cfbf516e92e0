import { mapConcurrent } from '../../core/async.ts';
import type { Clock, JobRef, JobTable } from '../../core/jobs/ports.ts';
import { longJobsQueue } from '../../core/jobs/queues.ts';
import type { Job } from '../../core/jobs/record.ts';
import { nextEntry, type RunningLimit } from '../../core/jobs/running-limit.ts';
import { readQueue } from '../../core/jobs/waiting-queue.ts';

export type OldestWaitingDeps = {
  jobs: { get: JobTable['get']; waiting: JobTable['waiting'] };
  queue: { running: { isFull: RunningLimit['isFull'] }; maxRunningJobs: number };
  clock: { now: Clock['now'] };
};

/** Bounds the reads of records in one run. */
const maxRecords = 100;

const concurrentReads = 16;

/**
 * Measures in seconds how long the oldest waiting job of both queues has been queued; 0 if none waits. An owner with
 * `maxRunningJobs` running jobs does not count: its other jobs wait for these, not for a worker.
 */
export function oldestWaiting(deps: OldestWaitingDeps): () => Promise<number> {
  const queues: { queue?: Job['queue']; unreadAfter?: string | undefined }[] = [{}, { queue: longJobsQueue }];
  return async () => {
    const waiting = await Promise.all(
      queues.map(async (each) => {
        const { queue, unreadAfter } = await readQueue(deps.jobs, each);
        // A queue with more owners than one read has is continued by the next run.
        each.unreadAfter = unreadAfter;
        return queue;
      }),
    );
    const oldest = waiting
      .flat()
      .flatMap(({ ownerId, jobIds: [jobId] }) => (jobId === undefined ? [] : [{ ownerId, jobId }]))
      // Ids sort by creation time.
      .sort((one, other) => (one.jobId < other.jobId ? -1 : 1))
      .slice(0, maxRecords);
    const waits = await mapConcurrent(oldest, concurrentReads, (ref) => waitingSeconds(deps, ref));
    return Math.max(0, ...waits);
  };
}

async function waitingSeconds({ jobs, queue, clock }: OldestWaitingDeps, ref: JobRef): Promise<number> {
  // A record that cannot be read fails its own step of reconcile, which reports it.
  const job = await jobs.get(ref, { mayBeStale: true }).catch(() => undefined);
  if (job?.state !== 'queued' || (await queue.running.isFull(nextEntry(job), queue.maxRunningJobs))) return 0;
  return (clock.now().getTime() - Date.parse(job.queuedAt)) / 1_000;
}
