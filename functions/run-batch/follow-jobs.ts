import { mapConcurrent } from '../../core/async.ts';
import type { Batch, LineFailure } from '../../core/batches/batch.ts';
import type { JobTable } from '../../core/jobs/ports.ts';
import { isTerminal, type Job, type JobRecord } from '../../core/jobs/record.ts';
import { asUnreadable, UnreadableJobError } from '../../core/jobs/unreadable-job-error.ts';
import { usageOf } from '../../core/jobs/usage.ts';

export type FollowJobsDeps = {
  jobs: Pick<JobTable, 'get'>;
  /** Cancels an unfinished job of a cancelled batch. A failure leaves it to the next step. */
  cancel: (job: Job) => Promise<unknown>;
  /** The id of the line that begins at a byte of the manifest. */
  readLineId: (batch: Batch, at: number) => Promise<string | null>;
};

const pageSize = 100;

/**
 * Counts the jobs of a batch that have ended. They leave the list of its unfinished jobs by the same write that has the counts,
 * so each counts once. Workers claim the oldest first: it looks at these as long as some have ended, and besides at one page
 * that moves on with each step. Of a cancelled batch it looks at all, and cancels those that have not ended.
 */
export async function followJobs(
  deps: FollowJobsDeps,
  batch: Batch,
): Promise<{ batch: Batch; failures: LineFailure[]; ended: number }> {
  const { ownerId, unfinished } = batch;
  const isCancelled = batch.state === 'cancelled';
  const ended = new Map<string, JobRecord | undefined>();
  const look = async (page: number) => {
    const ids = unfinished.slice(page * pageSize, (page + 1) * pageSize).filter((jobId) => !ended.has(jobId));
    const before = ended.size;
    await mapConcurrent(ids, 20, async (jobId) => {
      const job = await deps.jobs.get({ ownerId, jobId }, { mayBeStale: !isCancelled }).catch(asUnreadable);
      if (job instanceof UnreadableJobError) return;
      if (job === undefined || job.state === 'deleted' || isTerminal(job)) ended.set(jobId, job);
      else if (isCancelled) await deps.cancel(job);
    });
    return ended.size > before;
  };
  const pages = Math.ceil(unfinished.length / pageSize);
  let page = 0;
  while (page < pages && ((await look(page)) || isCancelled)) page += 1;
  const moving = pages === 0 ? 0 : batch.lookFrom % pages;
  if (moving > page) await look(moving);
  const failures = await mapConcurrent([...ended], 10, ([jobId, job]) => failureOf(deps, batch, { jobId, job }));
  const failed = failures.filter((failure) => failure !== undefined);
  return {
    ended: ended.size,
    failures: failed,
    batch: {
      ...batch,
      unfinished: unfinished.filter((jobId) => !ended.has(jobId)),
      lookFrom: moving + 1,
      completed: batch.completed + ended.size - failed.length,
      failed: batch.failed + failed.length,
      spentUsd: batch.spentUsd + [...ended.values()].reduce((sum, job) => sum + costOf(job), 0),
    },
  };
}

function costOf(job: JobRecord | undefined): number {
  if (job === undefined) return 0;
  const usage = job.state === 'deleted' ? job.usage : isTerminal(job) ? usageOf(job) : undefined;
  return (usage?.nanoUsd ?? 0) / 1e9;
}

/** Undefined for a completed job. Of one that was deleted meanwhile only its state is known. */
async function failureOf(
  { readLineId }: FollowJobsDeps,
  batch: Batch,
  { jobId, job }: { jobId: string; job: JobRecord | undefined },
): Promise<LineFailure | undefined> {
  const state = job?.state === 'deleted' ? job.usage?.state : job?.state;
  if (state === 'completed') return undefined;
  const at = job !== undefined && 'batch' in job ? job.batch?.at : undefined;
  const id = at === undefined ? null : await readLineId(batch, at);
  const error = job !== undefined && 'error' in job ? job.error : undefined;
  if (error !== undefined) return { id, jobId, code: error.code, message: error.message };
  if (state === 'cancelled') return { id, jobId, code: 'CANCELLED', message: 'The job was cancelled' };
  return { id, jobId, code: 'DELETED', message: 'The job was deleted' };
}
