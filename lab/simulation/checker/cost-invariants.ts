import { durations } from '../../../core/jobs/durations.ts';
import { isTerminal, type JobRecord } from '../../../core/jobs/record.ts';
import { nanoUsdOf } from '../../../core/jobs/usage.ts';
import { type JobHistory, terminalWrites } from './history.ts';
import { jobInvariant } from './invariant.ts';

/** What a function takes besides: a task before its read, and all after the terminal write. */
const outsideClaimMs = 3_000;

/** A chunk task before its read, and after its last record. */
const outsideTaskMs = 1_000;

/** A worker that has died counts until its next heartbeat, or until the job is cancelled. */
const lostWorkerMs = durations.leaseMs + durations.heartbeatMs;

const taskApps = ['encode-chunk', 'join-chunks'];

/** A task whose job is stopped counts until its next heartbeat, at the latest, and from a whole second. */
const stoppingTaskMs = durations.heartbeatMs + 1_000;

/** A task that has died counts from its last record. */
const lostTaskMs = durations.taskProgressMs + durations.heartbeatMs;

const lostFargateMs = durations.fargateLeaseMs + durations.heartbeatMs;

export const functionsAreCountedOnce = jobInvariant(
  'the time of the functions of a job is counted, and none of it twice',
  (job) => {
    const [end] = terminalWrites(job);
    if (end === undefined || !isTerminal(end.after)) return [];
    const { functionUse, attempt } = end.after;
    const { workerMs = 0, taskMs = 0, fargateMs: ownMs = 0, spotMs = 0 } = functionUse ?? {};
    const fargateMs = ownMs + spotMs;
    const workers = billedMs(job, ['transcode']);
    const tasks = billedMs(job, taskApps);
    const fargate = billedMs(job, ['fargate-task', 'pool-task']);
    const hasFaults = job.faults.length > 0;
    const isUndisturbed = !hasFaults && end.after.state === 'completed';
    const chunkRuns = job.ended.filter(({ app }) => taskApps.includes(app)).length;
    const stopping = chunkRuns * (hasFaults ? lostTaskMs : stoppingTaskMs);
    const limits = [
      // A worker that dies as it delegates counts in place of the tasks.
      ['all', workerMs + taskMs, workers + tasks + stopping + (isUndisturbed ? 0 : attempt * lostWorkerMs)],
      ['tasks', taskMs, tasks + stopping],
      ['Fargate tasks', fargateMs, fargate + (isUndisturbed ? 0 : attempt * lostFargateMs)],
    ] as const;
    const excess = limits
      .filter(([, counted, limit]) => counted > limit)
      .map(([name, counted, limit]) => `${name} count ${counted} ms, more than ${limit}`);
    if (hasFaults) return excess;
    const counted = workerMs + taskMs + fargateMs;
    const missing = [
      ['all', workers + tasks + fargate - counted - job.ended.length * outsideClaimMs],
      ['tasks', tasks - taskMs - chunkRuns * outsideTaskMs],
    ] as const;
    return [...excess, ...missing.filter(([, ms]) => ms > 0).map(([name, ms]) => `${ms} ms of ${name} are missing`)];
  },
);

/** Of a function with 3,008 MB, for less than a minute: its start, its last chunk and its end. */
export const maxExcessUsd = 0.0025;

export const jobsStayBelowTheirLimit = jobInvariant(
  'a job costs no more than its request allows, apart from its last chunk and lost workers',
  (job) => {
    const [end] = terminalWrites(job);
    if (end === undefined || !isTerminal(end.after)) return [];
    const { cost = {}, request, attempt } = end.after;
    if (request.maxCostUsd === undefined) return [];
    const usd = nanoUsdOf(cost) / 1e9;
    const isExceeded = usd > request.maxCostUsd + maxExcessUsd * attempt;
    const isIgnored = end.after.state === 'completed' && job.faults.length === 0 && usd > request.maxCostUsd;
    return isExceeded || isIgnored ? [`cost ${usd}, more than ${request.maxCostUsd}`] : [];
  },
);

/** The time of functions from the claim of the job: before it, a worker may wait for other jobs. */
function billedMs({ ended, writes }: JobHistory, apps: readonly string[]): number {
  return ended
    .filter(({ app }) => apps.includes(app))
    .reduce((sum, { app, invocation, at, ms }) => {
      if (app !== 'transcode') return sum + ms;
      const claim = writes.find((write) => write.invocation === invocation && write.after.state === 'processing');
      return claim === undefined ? sum : sum + Math.min(ms, at - claimedMs(claim.after));
    }, 0);
}

function claimedMs(job: JobRecord): number {
  return 'claimedAt' in job && job.claimedAt !== undefined ? Date.parse(job.claimedAt) : 0;
}
