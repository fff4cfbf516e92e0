import { isTerminal, type JobRecord, type TerminalJob } from '../../../core/jobs/record.ts';
import { groupOf, type JobUsage, usageDateOf, usageOf } from '../../../core/jobs/usage.ts';
import { type UsageCounter, type UsageCounters, usageRefOf } from '../../../core/jobs/usage-counter.ts';

/** Adds ended jobs whose records say that they were counted to the usage of their days, by one write for each day and group. */
export async function countStoredJobs(counters: UsageCounters, jobs: readonly JobRecord[]): Promise<void> {
  const counted = jobs.filter((job): job is TerminalJob => isTerminal(job) && job.usageCounted === true);
  const keyOf = (job: TerminalJob) => JSON.stringify([usageDateOf(job.jobId), groupOf(job)]);
  for (const ofDay of Map.groupBy(counted, keyOf).values()) {
    const [job] = ofDay;
    if (job === undefined) continue;
    const ref = usageRefOf(job);
    const before = await counters.read(ref);
    const next = ofDay.map(usageOf).reduce(added, { ...before, version: before.version + 1 });
    if (!(await counters.write(ref, next))) throw new Error('Another write changed the usage of the stored jobs');
  }
}

function added(counter: UsageCounter, usage: JobUsage): UsageCounter {
  return {
    ...counter,
    jobs: { ...counter.jobs, [usage.state]: (counter.jobs[usage.state] ?? 0) + 1 },
    mediaMs: counter.mediaMs + usage.mediaMs,
    computeMs: counter.computeMs + usage.computeMs,
    outputBytes: counter.outputBytes + usage.outputBytes,
    nanoUsd: counter.nanoUsd + usage.nanoUsd,
  };
}
