import type { History, JobHistory } from './history.ts';

/** Something that must hold of everything that ever happens. */
export type Invariant = {
  name: string;
  /** One sentence for each breach. */
  breaches(history: History): string[];
};

/** An invariant of each job by itself: `breaches` says what is wrong with one. */
export function jobInvariant(
  name: string,
  breaches: (job: JobHistory, history: History) => string[],
): Invariant {
  return {
    name,
    breaches: (history) =>
      history.jobs.flatMap((job) => breaches(job, history).map((breach) => `job ${job.jobId}: ${breach}`)),
  };
}
