import type { History, JobHistory } from './history.ts';

/** A property that every log must have. */
export type Invariant = {
  name: string;
  /** One sentence per breach. */
  breaches(history: History): string[];
};

/** An invariant of each single job: `breaches` returns those of one job. */
export function jobInvariant(name: string, breaches: (job: JobHistory, history: History) => string[]): Invariant {
  return {
    name,
    breaches: (history) =>
      history.jobs.flatMap((job) => breaches(job, history).map((breach) => `job ${job.jobId}: ${breach}`)),
  };
}
