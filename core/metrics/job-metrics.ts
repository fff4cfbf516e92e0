import type { JobChange } from '../jobs/guard.ts';
import { isTerminal, type JobIn, type RecordState, type TerminalJob } from '../jobs/record.ts';
import type { TerminalState } from '../jobs/states.ts';
import { computeSecondsOf, mediaSecondsOf } from '../jobs/usage.ts';

/** Every metric that the service measures itself, with its unit as CloudWatch names it. */
export const metricUnits = {
  JobsCreated: 'Count',
  JobsCompleted: 'Count',
  JobsFailed: 'Count',
  JobsRejected: 'Count',
  JobsCancelled: 'Count',
  /** From a job's creation to its first claim. */
  QueueSeconds: 'Seconds',
  /** A worker let its lease end, and the job went back into the queue. */
  WorkersLost: 'Count',
  /** A queued job's message was sent again. */
  MessagesResent: 'Count',
  MediaSeconds: 'Seconds',
  /** From the claim of a job to its end, which is the time of one worker; none of a job in parts. */
  ComputeSeconds: 'Seconds',
  /** Seconds of media per second of a worker, its download and upload included; none of a job in parts. */
  EncodeSpeed: 'None',
  WebhooksDelivered: 'Count',
  WebhooksAbandoned: 'Count',
  /** Runs of reconcile that came to their end. */
  ReconcileRuns: 'Count',
  ReconcileDue: 'Count',
  ReconcileFailed: 'Count',
} as const satisfies Record<string, 'Count' | 'Seconds' | 'None'>;

export type MetricName = keyof typeof metricUnits;
export type MetricValues = { readonly [Name in MetricName]?: number };

/** The CloudWatch namespace of all of them; each has one dimension, `stage`. */
export const metricNamespace = 'MediaJobs';

const endings: Record<TerminalState, MetricName> = {
  completed: 'JobsCompleted',
  failed: 'JobsFailed',
  rejected: 'JobsRejected',
  cancelled: 'JobsCancelled',
};

/**
 * What a change of a job's record means to the operator, once it has been written. The record is the one place that
 * every function passes, so that nothing is counted elsewhere, or twice.
 */
export function jobMetrics({ job, guard }: JobChange): MetricValues {
  if ('absent' in guard) return { JobsCreated: 1 };
  const before = 'state' in guard ? guard.state : undefined;
  if (job.state === 'queued') return backInTheQueue(before);
  if (job.state === 'processing') return before === 'queued' ? claimed(job) : {};
  if (!isTerminal(job)) return {};
  if ('leaseId' in guard || before === 'queued' || before === 'processing') return ended(job);
  return 'deliveryId' in guard && typeof guard.deliveryId === 'string' ? settled(job) : {};
}

/** A job that its lease gave back, since its parts came to nothing, has lost no worker. */
function backInTheQueue(before: RecordState | undefined): MetricValues {
  if (before === 'queued') return { MessagesResent: 1 };
  return before === 'processing' ? { WorkersLost: 1 } : {};
}

/** Jobs that a lost worker gave back were claimed before; the wait of their owners was not the queue's. */
function claimed({ attempt, createdAt, claimedAt }: JobIn<'processing'>): MetricValues {
  return attempt === 1 ? { QueueSeconds: secondsBetween(createdAt, claimedAt) } : {};
}

function ended(job: TerminalJob): MetricValues {
  const counted: MetricValues = { [endings[job.state]]: 1 };
  if (job.state !== 'completed') return counted;
  const media = mediaSecondsOf(job);
  // How long many had worked on it side by side is not in the record.
  if (job.chunking !== undefined && job.chunking.chunks > 1) return { ...counted, MediaSeconds: media };
  const compute = computeSecondsOf(job);
  const work = { ...counted, MediaSeconds: media, ComputeSeconds: compute };
  return media > 0 && compute > 0 ? { ...work, EncodeSpeed: media / compute } : work;
}

function settled({ pendingDelivery, deliveryOutcome }: TerminalJob): MetricValues {
  if (pendingDelivery !== undefined) return {};
  if (deliveryOutcome === 'delivered') return { WebhooksDelivered: 1 };
  return deliveryOutcome === 'abandoned' ? { WebhooksAbandoned: 1 } : {};
}

function secondsBetween(from: string, to: string): number {
  return Math.max(0, Date.parse(to) - Date.parse(from)) / 1000;
}
