import { isDeepStrictEqual } from 'node:util';
import { isTerminal, type TerminalJob } from '../../../core/jobs/record.ts';
import { type JobUsage, usageOf } from '../../../core/jobs/usage.ts';
import { emptyUsageCounter, type UsageRef, usageRefOf } from '../../../core/jobs/usage-counter.ts';
import { type History, lastRecord, terminalWrites } from './history.ts';
import { type Invariant, jobInvariant } from './invariant.ts';

export const usageMatchesJobs: Invariant = {
  name: 'the usage of an owner is that of its undeleted jobs, in each group',
  breaches: (history) => {
    const counters = Object.groupBy(history.usage, groupKey);
    const ends = history.jobs.flatMap((job) => terminalWrites(job).map(({ after }) => after as TerminalJob));
    const jobs = Object.groupBy(ends, (job) => groupKey(usageRefOf(job)));
    return [...new Set([...Object.keys(counters), ...Object.keys(jobs)])].flatMap((key) => {
      const { version: _, latest: __, ...counted } = counters[key]?.at(-1)?.counter ?? emptyUsageCounter;
      const states = Object.entries(counted.jobs).filter(([, count]) => count !== 0);
      const expected = expectedUsage(history, jobs[key] ?? []);
      return isDeepStrictEqual({ ...counted, jobs: Object.fromEntries(states) }, expected)
        ? []
        : [`${key} has ${JSON.stringify(counted)}, its jobs ${JSON.stringify(expected)}`];
    });
  },
};

function groupKey({ ownerId, group }: Pick<UsageRef, 'ownerId' | 'group'>): string {
  return [ownerId, group?.caller, group?.recipe, group?.preset].join(' ');
}

export const recordsMarkCountedJobs = jobInvariant('a record tells that its job was counted', (job) => {
  const last = lastRecord(job);
  if (last === undefined) return [];
  const isPending = isTerminal(last) ? last.usageCounted !== true : 'usage' in last;
  return isPending ? ['has usage that is not counted'] : [];
});

/** The sums of the jobs that are not deleted, with the cost of all. */
function expectedUsage(history: History, ended: readonly TerminalJob[]) {
  const kept = ended.flatMap(({ jobId }) => {
    const job = history.job(jobId);
    const last = job && lastRecord(job);
    return last !== undefined && isTerminal(last) ? [usageOf(last)] : [];
  });
  return sumOf(
    kept,
    ended.reduce((sum, job) => sum + usageOf(job).nanoUsd, 0),
  );
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
