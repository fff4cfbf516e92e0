import type { History, JobHistory } from './history.ts';

/** A property that every log must have. */
export type Invariant = {
  name: string;
  /** One sentence per breach. */
  breaches(history: History): string[];
};

/** An invariant of each delivery of a job's event: to the target of the job, and to each endpoint. */
export function deliveryInvariant(name: string, breaches: (delivery: JobHistory) => string[]): Invariant {
  return jobInvariant(name, (job) => deliveriesOf(job).flatMap(breaches));
}

/** What happened to a job as each of its deliveries sees it: the one to its target, then those to endpoints. */
export function deliveriesOf(job: JobHistory): JobHistory[] {
  return [job, ...job.endpoints.values()];
}

/** An invariant of each single job: `breaches` returns those of one job. */
export function jobInvariant(name: string, breaches: (job: JobHistory, history: History) => string[]): Invariant {
  return {
    name,
    breaches: (history) =>
      history.jobs.flatMap((job) => breaches(job, history).map((breach) => `job ${job.jobId}: ${breach}`)),
  };
}
