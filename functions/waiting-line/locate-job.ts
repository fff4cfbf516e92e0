import { jobCreatedAt } from '../../core/jobs/job-id.ts';
import { longLane, workersOfLongJobs } from '../../core/jobs/lanes.ts';
import type { Clock, JobTable } from '../../core/jobs/ports.ts';
import type { Job, JobIn } from '../../core/jobs/record.ts';
import { nextSlot, type RunningSlots } from '../../core/jobs/slots.ts';
import {
  estimateStart,
  type LinePosition,
  sampledStarts,
  startFromLine,
} from '../../core/jobs/start-estimate.ts';
import {
  claimsUntil,
  type LineWorkers,
  maxReadPerOwner,
  readLine,
  type WaitingOwner,
} from '../../core/jobs/waiting-line.ts';

export type LocateJobDeps = {
  jobs: Pick<JobTable, 'waiting' | 'list' | 'countWaiting'>;
  slots: Pick<RunningSlots, 'isFull'>;
  clock: Clock;
  maxRunningJobs: number;
  /** The jobs that the stage processes at the same time. */
  workers: number;
  /** The lines that this function read last, by lane: they answer many requests within a few seconds. */
  lineCache: Map<Job['lane'], Line>;
};

/** The line, and the latest starts of the jobs that were claimed from it. */
type Line = {
  lane: Job['lane'];
  readAt: Date;
  owners: readonly WaitingOwner[];
  starts: ReadonlyMap<string, readonly number[]>;
};

const lineLifetimeMs = 5_000;

/** Maximum owners whose latest starts are read, half of them from the current line. Their starts together give its pace. */
const maxSampledOwners = 4;

/**
 * The position of a queued job and its estimated start, by the turns of the owners that wait now. For an owner at
 * `maxRunningJobs`, only its own jobs and their pace count.
 */
export async function locateJob(deps: LocateJobDeps, job: JobIn<'queued'>): Promise<LinePosition> {
  const { slots, clock, maxRunningJobs } = deps;
  const { ownerId, jobId, lane, notBefore } = job;
  // It waits for a host, and for no worker.
  if (notBefore !== undefined) return { position: 1, estimatedStartAt: notBefore };
  const [line, isLimited] = await Promise.all([
    currentLine(deps, lane),
    slots.isFull(nextSlot(job), maxRunningJobs),
  ]);
  const rank = await rankOf(deps, line, job);
  const owners = line.owners.filter((owner) => !isLimited || owner.ownerId === ownerId);
  const position = claimsUntil(owners, { ownerId, rank }, workersOfLine(deps, line));
  const starts = isLimited ? await startsOf(deps, line, ownerId) : [...line.starts.values()].flat();
  const waitsSince = owners.map(({ jobIds: [oldest = jobId] }) => jobCreatedAt(oldest).getTime());
  const since = new Date(Math.min(jobCreatedAt(jobId).getTime(), ...waitsSince));
  const start = estimateStart({ position, starts, since, now: clock.now() });
  // Whole seconds: the estimate is no more exact, and the ETag does not change at each read.
  const estimatedStartAt = start && new Date(Math.ceil(start.getTime() / 1_000) * 1_000).toISOString();
  return { position, estimatedStartAt };
}

/** The workers of a lane. Those whose jobs started last are assumed to hold them. */
function workersOfLine({ workers }: LocateJobDeps, { lane, starts }: Line): LineWorkers {
  const count = lane === longLane ? workersOfLongJobs(workers, { shortWaits: false }) : workers;
  const latest = [...starts]
    .flatMap(([ownerId, times]) => times.map((time) => ({ ownerId, time })))
    .sort((one, other) => one.time - other.time)
    .slice(-count);
  return { count, holders: latest.map(({ ownerId }) => ownerId) };
}

/** More jobs than an owner can have. */
const maxRank = 1_000_000;

/** The rank of a job among the waiting jobs of its owner, from 1. Only a rank beyond the jobs that were read takes a query. */
async function rankOf(
  { jobs }: LocateJobDeps,
  { owners }: Line,
  { ownerId, jobId, lane }: JobIn<'queued'>,
): Promise<number> {
  const { jobIds = [] } = owners.find((owner) => owner.ownerId === ownerId) ?? {};
  const index = jobIds.indexOf(jobId);
  if (index >= 0) return index + 1;
  if (jobIds.length < maxReadPerOwner) return jobIds.length + 1;
  return (await jobs.countWaiting({ ownerId, lane, limit: maxRank, before: jobId })) + 1;
}

async function startsOf(
  deps: LocateJobDeps,
  { starts, owners, lane }: Line,
  ownerId: string,
): Promise<readonly number[]> {
  const owner = owners.find((one) => one.ownerId === ownerId);
  return starts.get(ownerId) ?? (owner === undefined ? [] : latestStarts(deps, owner, lane));
}

async function currentLine(deps: LocateJobDeps, lane: Job['lane']): Promise<Line> {
  const { jobs, clock, lineCache } = deps;
  const cached = lineCache.get(lane);
  if (cached !== undefined && clock.now().getTime() - cached.readAt.getTime() < lineLifetimeMs) return cached;
  const { line: owners } = await readLine(jobs, { lane });
  const sampled = [...largestLines(owners), ...recentOwners(cached, owners)].slice(0, maxSampledOwners);
  const starts = await Promise.all(
    sampled.map(async (owner) => [owner.ownerId, await latestStarts(deps, owner, lane)] as const),
  );
  // After the reads: a line whose reads were slow must not be stale at once, or every request would repeat them.
  const line = { lane, readAt: clock.now(), owners, starts: new Map(starts) };
  lineCache.set(lane, line);
  return line;
}

function largestLines(owners: readonly WaitingOwner[]): WaitingOwner[] {
  return owners
    .toSorted((one, other) => other.jobIds.length - one.jobIds.length)
    .slice(0, maxSampledOwners / 2);
}

/** Owners that waited at the last read: workers were busy with their jobs, and may still be. */
function recentOwners(cached: Line | undefined, owners: readonly WaitingOwner[]): WaitingOwner[] {
  const { starts = new Map<string, number[]>() } = cached ?? {};
  const [oldestSampled = 0] = [...starts.values()]
    .flat()
    .sort((one, other) => one - other)
    .slice(-sampledStarts);
  return [...starts]
    .filter(([ownerId]) => !owners.some((owner) => owner.ownerId === ownerId))
    .filter(([, known]) => Math.max(...known) >= oldestSampled)
    .map(([ownerId]) => ({ ownerId, jobIds: [] }));
}

/** An owner's jobs start in the order of their creation, except that a job may be overtaken by up to this many. */
const maxOvertaken = 10;

/**
 * The starts of the jobs that were created just before an owner's oldest waiting ones: those were claimed last. One read:
 * the caller may be another owner, who does not wait for the deleted jobs of this one.
 */
async function latestStarts(
  { jobs }: LocateJobDeps,
  { ownerId, jobIds }: WaitingOwner,
  lane: Job['lane'],
): Promise<number[]> {
  const afterJobId = jobIds[maxOvertaken - 1] ?? jobIds.at(-1);
  const limit = sampledStarts + maxOvertaken;
  const page = await jobs.list({ ownerId, limit, afterJobId, maxReads: 1 });
  return page.jobs.map((job) => startFromLine(job, lane)).filter((start) => start !== undefined);
}
