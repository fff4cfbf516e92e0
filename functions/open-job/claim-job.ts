import { retryConflicts } from '../../core/async.ts';
import { waitsForHost } from '../../core/jobs/execution-transitions.ts';
import { enterLimit, freeEntry, isEconomy, leaveLimit, wakeWorker } from '../../core/jobs/job-queue.ts';
import type { JobRef } from '../../core/jobs/ports.ts';
import {
  batchJobsQueue,
  economyQueue,
  limitedQueueOf,
  limitOfBatches,
  longJobsQueue,
  type PoolCapacity,
} from '../../core/jobs/queues.ts';
import type { JobIn, JobRecord } from '../../core/jobs/record.ts';
import {
  isVoid,
  nextEntry,
  type RunningEntry,
  type RunningLimits,
  workersOfOwner,
} from '../../core/jobs/running-limit.ts';
import { claim } from '../../core/jobs/transitions.ts';
import { asUnreadable, UnreadableJobError } from '../../core/jobs/unreadable-job-error.ts';
import {
  addClaim,
  chooseOwner,
  type QueueReader,
  readQueue,
  removeFromQueue,
  type WaitingOwner,
} from '../../core/jobs/waiting-queue.ts';
import type { ClaimPorts } from '../../core/worker/ports.ts';

/** After nine jobs that other workers claimed first, the queue that was read is outdated: the last try is the message's own job. */
const maxTries = 10;

/**
 * Claims a job for a message. A message wakes a worker. Which job it claims depends on the order of the owners with
 * waiting jobs, because a queue may deliver thousands of messages of one owner before those of the next. Of the chosen
 * owner it claims the oldest job; after another worker was first, that of the message, which few others try. If it
 * claims another job while the message's own job waits, it sends the message again, so that every waiting job keeps its
 * own message: neither a crash on another message nor a stale index leaves it without one.
 *
 * While other owners wait, an owner holds at most three quarters of the workers, see `workersOfOwner`. A job beyond that
 * limit is claimed only if no job of another owner can be claimed. Otherwise its message is sent again.
 *
 * Jobs that are known to be long come first while fewer run than may run: they cannot take the workers that are kept
 * for the others.
 *
 * Returns undefined if there is nothing to claim: the message is a repeat, or the waiting owners have as many running jobs
 * as they may have, or as many long jobs run as may run. The end of one of these sends another message.
 */
export async function claimNextJob(deps: ClaimPorts, message: JobRef): Promise<JobIn<'processing'> | undefined> {
  const { jobs, claims, onClaimed } = deps;
  const [short, long] = await Promise.all([
    readQueue(jobs, claims.short),
    readQueue(jobs, { ...claims.long, queue: longJobsQueue }),
  ]);
  claims.short.unreadAfter = short.unreadAfter;
  claims.long.unreadAfter = long.unreadAfter;
  // The index may not list the message's own job yet.
  const own = { ...message, isTried: false };
  const claimed =
    (await claimLongJob(deps, { queue: long.queue, shortQueue: short.queue, own })) ??
    (await claimShortJob(deps, short.queue, own)) ??
    (await claimBatchJob(deps, own));
  if (claimed === undefined) return undefined;
  onClaimed(claimed);
  if (!own.isTried) await sendAgain(deps, message, claimed);
  return claimed;
}

/** The job of the message, and whether it was claimed or cannot be. */
type OwnJob = JobRef & { isTried: boolean };

/** Claims the oldest long job of the owner that is next, if fewer long jobs run than may run. */
function claimLongJob(
  deps: ClaimPorts,
  { queue, shortQueue, own }: { queue: readonly WaitingOwner[]; shortQueue: readonly WaitingOwner[]; own: OwnJob },
): Promise<JobIn<'processing'> | undefined> {
  const reader = deps.claims.long;
  const shortWaits = shortQueue.length > 0;
  return claimInOrder(queue, reader, async (ref, left) => {
    const isOther = (owner: WaitingOwner) => owner.ownerId !== ref.ownerId;
    const limitWorkers = left.some(isOther) || shortQueue.some(isOther);
    const result = await claimJob(deps, ref, { limitWorkers, shortWaits, reader });
    if (typeof result !== 'string' && ref.jobId === own.jobId) own.isTried = true;
    return result;
  });
}

/**
 * Claims a job of a batch, if fewer of them run than may run: the oldest of the owner that is next, else that of the message, which
 * the index may not list yet. Only where no other job can be claimed.
 */
async function claimBatchJob(deps: ClaimPorts, own: OwnJob): Promise<JobIn<'processing'> | undefined> {
  const reader = deps.claims.batch;
  const { queue, unreadAfter } = await readQueue(deps.jobs, { ...reader, queue: batchJobsQueue });
  reader.unreadAfter = unreadAfter;
  const choice = { limitWorkers: false, shortWaits: false, reader, isBatch: true };
  const claimed = await claimInOrder(queue, reader, (ref) => claimJob(deps, ref, choice));
  own.isTried = claimed === undefined || claimed.jobId === own.jobId;
  if (claimed !== undefined || queue.length > 0) return claimed;
  const result = await claimJob(deps, own, choice);
  return typeof result === 'string' ? undefined : result;
}

/** Claims the oldest economy job of the owner that is next, for a task of the pool. Undefined if none can be claimed. */
export async function claimEconomyJob(deps: ClaimPorts, pool: PoolCapacity): Promise<JobIn<'processing'> | undefined> {
  const reader = deps.claims.economy;
  const { queue, unreadAfter } = await readQueue(deps.jobs, { ...reader, queue: economyQueue });
  reader.unreadAfter = unreadAfter;
  const choice = { limitWorkers: false, shortWaits: false, reader, pool };
  const claimed = await claimInOrder(queue, reader, (ref) => claimJob(deps, ref, choice));
  if (claimed === undefined) return undefined;
  deps.onClaimed(claimed);
  // It counts as a running job of its owner, and holds none of the workers of the queue.
  await deps.queue.running
    .releaseWorker({ ownerId: claimed.ownerId, jobId: claimed.jobId, attempt: claimed.attempt })
    .catch((cause: unknown) => deps.onUnexpected(claimed, cause));
  return claimed;
}

/** Claims the oldest job of the owner that is next, by the order of the owners. */
async function claimInOrder(
  owners: readonly WaitingOwner[],
  reader: QueueReader,
  claimOne: (ref: JobRef, queue: readonly WaitingOwner[]) => Promise<ClaimResult>,
): Promise<JobIn<'processing'> | undefined> {
  let queue = owners;
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const { ownerId, jobIds: [jobId] = [] } = chooseOwner(queue, reader.current) ?? {};
    if (ownerId === undefined || jobId === undefined) return undefined;
    const result = await claimOne({ ownerId, jobId }, queue);
    if (typeof result !== 'string') return result;
    if (result === 'limit-reached') return undefined;
    queue =
      result === 'gone'
        ? removeFromQueue(queue, { ownerId, jobId })
        : queue.filter((owner) => owner.ownerId !== ownerId);
  }
  return undefined;
}

async function claimShortJob(
  deps: ClaimPorts,
  owners: readonly WaitingOwner[],
  own: OwnJob,
): Promise<JobIn<'processing'> | undefined> {
  const reader = deps.claims.short;
  let queue = owners;
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const ownOwner = own.isTried ? undefined : own.ownerId;
    const chosen = chooseOwner(queue, reader.current)?.ownerId;
    const ownerId = tries < maxTries ? (chosen ?? ownOwner) : (ownOwner ?? chosen);
    if (ownerId === undefined) return undefined;
    const waiting = queue.find((owner) => owner.ownerId === ownerId)?.jobIds ?? [];
    const ofMessage = ownerId === ownOwner ? own.jobId : undefined;
    const [oldest] = waiting;
    const jobId = tries === 1 ? (oldest ?? ofMessage) : (ofMessage ?? oldest);
    if (jobId === undefined) return undefined;
    const others = queue.filter((owner) => owner.ownerId !== ownerId);
    const limitWorkers = others.length > 0 && tries < maxTries;
    const shortWaits = queue.length > 0 && tries < maxTries;
    const result = await claimJob(deps, { ownerId, jobId }, { limitWorkers, shortWaits, reader });
    if (jobId === ofMessage && result !== 'beyond-limit') own.isTried = true;
    if (typeof result !== 'string') return result;
    const isGone = result === 'gone' || result === 'limit-reached';
    queue = isGone ? removeFromQueue(queue, { ownerId, jobId }) : others;
  }
  return undefined;
}

/** Sends the message of a waiting job again. After a failure reconcile does: it must not fail the claimed job. */
async function sendAgain(
  { jobs, queue, onUnexpected }: ClaimPorts,
  message: JobRef,
  claimed: JobIn<'processing'>,
): Promise<void> {
  try {
    const job = await jobs.get(message);
    if (job?.state === 'queued') await wakeWorker(queue, job);
  } catch (cause) {
    onUnexpected(claimed, cause);
  }
}

type ClaimChoice = {
  limitWorkers: boolean;
  shortWaits: boolean;
  reader: QueueReader;
  pool?: PoolCapacity;
  isBatch?: boolean;
};

type ClaimResult = JobIn<'processing'> | 'gone' | 'full' | 'beyond-limit' | 'limit-reached';

/**
 * Claims one job, if it may run now.
 *
 * - `gone`: the job is not queued any more, or waits for the host of its source, or this version of the service cannot read its
 *   record, or it is for other workers: the pool claims economy jobs and no others, and those of batches have a queue of their own.
 * - `full`: its owner has `maxRunningJobs` running jobs.
 * - `beyond-limit`: with `limitWorkers`, its owner holds as many workers as it may.
 * - `limit-reached`: the job is long or of a batch, and as many of its queue run as may run.
 *
 * `shortWaits`: a short job waits, so long jobs leave a worker to it.
 */
async function claimJob(
  deps: ClaimPorts,
  ref: JobRef,
  { limitWorkers, shortWaits, reader, pool, isBatch = false }: ClaimChoice,
): Promise<ClaimResult> {
  const { jobs, clock, newId, queue } = deps;
  const max = isBatch ? limitOfBatches(queue.maxRunningJobs) : queue.maxRunningJobs;
  const limits = { max, ...(limitWorkers ? { maxWorkers: workersOfOwner(queue.workers) } : {}) };
  const stored = await readJob(deps, ref);
  if (stored instanceof UnreadableJobError) return 'gone';
  let found = stored;
  return retryConflicts(async () => {
    if (found?.state !== 'queued' || waitsForHost(found, clock.now())) return 'gone';
    if (isEconomy(found) !== (pool !== undefined)) return 'gone';
    if ((found.queue === batchJobsQueue) !== isBatch) return 'gone';
    const entry = nextEntry(found);
    const limited = limitedQueueOf(found);
    if (limited && !(await enterLimit(deps, entry, { limited, shortWaits }))) return 'limit-reached';
    const entered = await enterRunning(deps, entry, limits);
    if (entered !== 'entered') {
      // Sends no message: it would be for the first waiting long job, this one, and enter and leave the limit without end.
      if (limited) await freeEntry(queue, entry, limited);
      return entered;
    }
    const change = claim(found, newId(), clock.now(), pool);
    const result = await jobs.write(change);
    if (result.written) {
      reader.current = addClaim(reader.current, ref);
      return change.job;
    }
    found = result.current;
    if (isVoid(entry, found)) await leaveRunning(deps, entry);
    if (limited && isVoid(entry, found)) await leaveLimit(deps, entry, limited);
    return false;
  });
}

/** Reads a job. An unreadable record is reported: thrown, it would fail the claims of all other owners. */
async function readJob(
  { jobs, onUnexpected }: ClaimPorts,
  ref: JobRef,
): Promise<JobRecord | UnreadableJobError | undefined> {
  const job = await jobs.get(ref).catch(asUnreadable);
  if (job instanceof UnreadableJobError) onUnexpected(ref, job);
  return job;
}

/**
 * Counts the attempt as a running job. If a limit is reached, first removes the entries of attempts that have ended, because a
 * crash may have left them; then has the job wait, so that the next one that leaves wakes a worker for it.
 */
async function enterRunning(
  deps: ClaimPorts,
  entry: RunningEntry,
  limits: RunningLimits,
): Promise<'entered' | 'full' | 'beyond-limit'> {
  const { running } = deps.queue;
  for (let tries = 0; tries < maxTries; tries += 1) {
    if (await running.enter(entry, limits)) return 'entered';
    if (await removeVoidEntries(deps, entry)) continue;
    if (await running.waitFor(entry, limits.max)) return 'full';
    if (limits.maxWorkers !== undefined) return 'beyond-limit';
  }
  return 'full';
}

async function removeVoidEntries(deps: ClaimPorts, entry: RunningEntry): Promise<boolean> {
  let hasRemoved = false;
  for (const other of await deps.queue.running.list(entry)) {
    const job = await readJob(deps, other);
    if (job instanceof UnreadableJobError || !isVoid(other, job)) continue;
    await leaveRunning(deps, other);
    hasRemoved = true;
  }
  return hasRemoved;
}

async function leaveRunning({ queue }: ClaimPorts, entry: RunningEntry): Promise<void> {
  const { next } = await queue.running.leave(entry);
  if (next !== undefined) await queue.send(next);
}
