import { type Erasure, type Erasures, maxErasureWaitMs, type StoredJob } from '../../core/access/erasure.ts';
import type { KeyTable } from '../../core/access/key-record.ts';
import { batchesOfOwner } from '../../core/batches/batch.ts';
import type { MediaFiles } from '../../core/jobs/ports.ts';
import { isTerminal } from '../../core/jobs/record.ts';
import { deleteJob } from '../../core/jobs/removal-transitions.ts';
import { runningParts } from '../../core/jobs/running-limit.ts';
import { jobPath } from '../../core/jobs/stored-file.ts';
import { cancel } from '../../core/jobs/termination.ts';
import { type TerminateJobDeps, terminateJob } from '../../core/termination/terminate-job.ts';
import { uploadsOfOwner } from '../../core/uploads/upload.ts';

export type EraseOwnersDeps = TerminateJobDeps & {
  erasures: Omit<Erasures, 'request' | 'find'>;
  keys: Pick<KeyTable, 'list' | 'remove'>;
  files: Pick<MediaFiles, 'removeAll'>;
  maxRunningJobs: number;
  onFailure: (erasure: Erasure, cause: unknown) => void;
};

/** Jobs that are read, and erased side by side. */
const jobsPerPage = 25;

/**
 * Goes on with the erasures that are not done, until `until`. Each step can be repeated, and the request stays until nothing
 * else is left, so that the next run goes on where one was ended. Returns the number of those that failed.
 */
export function eraseOwners(deps: EraseOwnersDeps): (until: Date) => Promise<number> {
  return async (until) => {
    let failed = 0;
    for (const erasure of await deps.erasures.due()) {
      if (deps.clock.now() >= until) break;
      await eraseOwner(deps, erasure, until).catch((cause: unknown) => {
        failed += 1;
        deps.onFailure(erasure, cause);
      });
    }
    return failed;
  };
}

/**
 * Revokes the keys, ends and deletes the jobs, whose tombstones reconcile sweeps, and removes each tombstone that is swept.
 * Only then the rest: the sweeps need storage providers and counters.
 */
async function eraseOwner(deps: EraseOwnersDeps, erasure: Erasure, until: Date): Promise<void> {
  const { erasures, keys, files, clock, maxRunningJobs } = deps;
  const { ownerId } = erasure;
  const mayContinue = () => clock.now() < until;
  await keys.remove(await keys.list(ownerId));
  await erasures.removeBatches(ownerId);
  if (!(await eraseJobs(deps, erasure, mayContinue))) return;
  if ((await files.removeAll(uploadsOfOwner(ownerId), { mayContinue })) === 'incomplete') return;
  if ((await files.removeAll(batchesOfOwner(ownerId), { mayContinue })) === 'incomplete') return;
  const removal = { runningParts: runningParts(maxRunningJobs), mayContinue };
  if ((await erasures.removeRecords(ownerId, removal)) === 'incomplete') return;
  await erasures.end(ownerId);
}

/** Takes the next step of every job. False while any is left. */
async function eraseJobs(deps: EraseOwnersDeps, erasure: Erasure, mayContinue: () => boolean): Promise<boolean> {
  const { ownerId, requestedAt } = erasure;
  const isLate = deps.clock.now().getTime() - Date.parse(requestedAt) > maxErasureWaitMs;
  let left = 0;
  let afterJobId: string | undefined;
  do {
    if (!mayContinue()) return false;
    const page = await deps.erasures.jobs(ownerId, { afterJobId, limit: jobsPerPage });
    afterJobId = page.at(-1)?.jobId;
    const swept = page.filter(({ state, isSwept }) => isSwept || (isLate && state === 'deleted'));
    await removeJobs(deps, ownerId, swept);
    const others = page.filter((job) => !swept.includes(job));
    left += others.length;
    const undeleted = others.filter(({ state }) => state !== 'deleted');
    await Promise.all(undeleted.map(({ jobId }) => endJob(deps, { ownerId, jobId })));
  } while (afterJobId !== undefined);
  return left === 0;
}

async function removeJobs({ erasures, files }: EraseOwnersDeps, ownerId: string, jobs: readonly StoredJob[]) {
  for (const { jobId } of jobs.filter(({ isSwept }) => !isSwept)) await files.removeAll(jobPath(jobId));
  await erasures.removeJobs(
    ownerId,
    jobs.map(({ jobId }) => jobId),
  );
}

/** Cancels an unfinished job, deletes an ended one. The next run goes on with a job that another write was first at. */
async function endJob(deps: EraseOwnersDeps, ref: { ownerId: string; jobId: string }): Promise<void> {
  const job = await deps.jobs.get(ref);
  if (job === undefined || job.state === 'deleted') return;
  if (isTerminal(job)) {
    await deps.jobs.write(deleteJob(job, deps.clock.now()));
    return;
  }
  // Its files are becoming visible at a storage provider: it ends by itself.
  if (job.publishing === undefined) await terminateJob(deps, job, (termination) => cancel(job, termination));
}
