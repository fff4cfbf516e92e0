import { durations } from '../../core/jobs/durations.ts';
import { webhookId } from '../../core/webhooks/delivery.ts';

/** An accepted job. Times are Unix milliseconds. */
export type LoadedJob = {
  jobId: string;
  ownerId: string;
  submittedAt: number;
  /** Whether its receiver answers 204; otherwise it answers 503. */
  receiverAccepts: boolean;
  /** Undefined: the job had not ended when the run was given up. */
  end: { state: string; completedAt: number } | undefined;
};

/** A webhook as a receiver got it. */
export type ReceivedWebhook = {
  /** Whose receiver it reached. */
  ownerId: string;
  webhookId: string;
  body: string;
  at: number;
};

export type LoadLog = {
  jobs: readonly LoadedJob[];
  webhooks: readonly ReceivedWebhook[];
  /** The ids of all jobs that each owner's list has at the end. */
  listed: ReadonlyMap<string, readonly string[]>;
};

export type LoadFigures = {
  jobs: number;
  /** Accepted jobs that did not end, or whose receiver did not get what it had to get. */
  lost: number;
  /** Jobs that ended otherwise than completed, although their source is good. */
  notCompleted: number;
  /** Jobs that nobody submitted, and jobs with two different events. */
  duplicates: number;
  /** Webhooks that came later than the recovery of a killed function takes. */
  lateWebhooks: number;
  /** Jobs and webhooks that reached another owner. */
  foreign: number;
  /** Seconds from the request to the end of the job. */
  p50: number;
  p99: number;
  states: Record<string, number>;
};

const maxAttempts = 3;

/** A function that is killed before its first attempt: reconcile, which runs every minute, starts the delivery. */
const maxLatenessMs = durations.deliveryStartMs + 60_000;

/** Counts what a load has lost, repeated, delayed and mixed up. */
export function evaluateLoad({ jobs, webhooks, listed }: LoadLog): LoadFigures {
  const byJob = Map.groupBy(webhooks, (webhook) => webhook.webhookId);
  const webhooksOf = ({ jobId }: LoadedJob) => byJob.get(webhookId(jobId)) ?? [];
  const owners = new Map(jobs.map(({ jobId, ownerId }) => [jobId, ownerId]));
  const listedIds = [...listed].flatMap(([ownerId, ids]) => ids.map((jobId) => ({ ownerId, jobId })));
  const count = <T>(all: readonly T[], isOne: (one: T) => boolean) => all.filter(isOne).length;
  const seconds = jobs
    .flatMap(({ end, submittedAt }) => (end === undefined ? [] : [(end.completedAt - submittedAt) / 1_000]))
    .toSorted((a, b) => a - b);
  return {
    jobs: jobs.length,
    lost: count(jobs, (job) => !isWhole(job, webhooksOf(job), listed.get(job.ownerId) ?? [])),
    notCompleted: count(jobs, ({ end }) => end !== undefined && end.state !== 'completed'),
    duplicates:
      count(listedIds, ({ jobId }) => !owners.has(jobId)) +
      count(jobs, (job) => new Set(webhooksOf(job).map(({ body }) => eventOf(body))).size > 1),
    lateWebhooks: count(jobs, (job) => isLate(job, webhooksOf(job))),
    foreign:
      count(listedIds, ({ ownerId, jobId }) => owners.has(jobId) && owners.get(jobId) !== ownerId) +
      count(jobs, (job) => webhooksOf(job).some(({ ownerId }) => ownerId !== job.ownerId)),
    p50: percentile(seconds, 50),
    p99: percentile(seconds, 99),
    states: Object.fromEntries(
      [...Map.groupBy(jobs, ({ end }) => end?.state ?? 'unfinished')].map(([state, { length }]) => [state, length]),
    ),
  };
}

/** Whether every webhook has arrived that the receiver of a job is to get. A receiver that rejects them gets each attempt. */
export function isDelivered(receiverAccepts: boolean, received: number): boolean {
  return received >= (receiverAccepts ? 1 : maxAttempts);
}

function isWhole(
  { jobId, end, receiverAccepts }: LoadedJob,
  { length: received }: readonly ReceivedWebhook[],
  listed: readonly string[],
): boolean {
  return end !== undefined && isDelivered(receiverAccepts, received) && listed.includes(jobId);
}

function isLate({ end }: LoadedJob, [first]: readonly ReceivedWebhook[]): boolean {
  return end !== undefined && first !== undefined && first.at - end.completedAt > maxLatenessMs;
}

/** What an event says: signed URLs in it may differ from one attempt to the next. */
function eventOf(body: string): string {
  const { type, timestamp, data } = JSON.parse(body);
  return `${type} ${timestamp} ${data.jobId} ${data.state}`;
}

/** The nearest-rank percentile of sorted values, 0 if there is none. */
function percentile(sorted: readonly number[], percent: number): number {
  return sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)] ?? 0;
}
