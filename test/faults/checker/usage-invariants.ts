import { isDeepStrictEqual } from 'node:util';
import { isTerminal } from '../../../core/jobs/record.ts';
import { type JobUsage, usageOf } from '../../../core/jobs/usage.ts';
import { emptyUsageCounter } from '../../../core/jobs/usage-counter.ts';
import { type History, lastRecord, terminalWrites } from './history.ts';
import { type Invariant, jobInvariant } from './invariant.ts';

export const usageMatchesJobs: Invariant = {
  name: 'the usage of an owner is that of its undeleted jobs',
  breaches: (history) =>
    [...new Set(history.jobs.map(({ ownerId }) => ownerId))].flatMap((ownerId) => {
      const { version: _, latest: __, ...counted } = history.usage.get(ownerId) ?? emptyUsageCounter;
      const jobs = Object.entries(counted.jobs).filter(([, count]) => count !== 0);
      const expected = sumOf(usageOfJobs(history, ownerId), spentBy(history, ownerId));
      return isDeepStrictEqual({ ...counted, jobs: Object.fromEntries(jobs) }, expected)
        ? []
        : [`${ownerId} has ${JSON.stringify(counted)}, its jobs ${JSON.stringify(expected)}`];
    }),
};

export const recordsTellThatJobsAreCounted = jobInvariant(
  'a record tells that its job was counted',
  (job) => {
    const last = lastRecord(job);
    if (last === undefined) return [];
    const isPending = isTerminal(last) ? last.usageCounted !== true : 'usage' in last;
    return isPending ? ['has usage that is not counted'] : [];
  },
);

function usageOfJobs(history: History, ownerId: string): JobUsage[] {
  return history.jobs
    .filter((job) => job.ownerId === ownerId)
    .flatMap((job) => {
      const last = lastRecord(job);
      return last !== undefined && isTerminal(last) ? [usageOf(last)] : [];
    });
}

/** The cost of all jobs that have ended, deleted ones included. */
function spentBy(history: History, ownerId: string): number {
  const ends = history.jobs
    .filter((job) => job.ownerId === ownerId)
    .flatMap((job) => terminalWrites(job).map(({ after }) => after))
    .filter(isTerminal);
  return ends.reduce((sum, job) => sum + usageOf(job).nanoUsd, 0);
}

function sumOf(usages: readonly JobUsage[], nanoUsd: number) {
  const jobs: Record<string, number> = {};
  for (const { state } of usages) jobs[state] = (jobs[state] ?? 0) + 1;
  const sum = (value: (usage: JobUsage) => number) => usages.reduce((total, one) => total + value(one), 0);
  return {
    jobs,
    mediaMs: sum(({ mediaMs }) => mediaMs),
    computeMs: sum(({ computeMs }) => computeMs),
    outputBytes: sum(({ outputBytes }) => outputBytes),
    nanoUsd,
  };
}
