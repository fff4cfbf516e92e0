import type { JobChange } from '../jobs/guard.ts';
import { isTerminal, type JobIn, type RecordState, type TerminalJob } from '../jobs/record.ts';
import type { TerminalState } from '../jobs/states.ts';
import { computeSecondsOf, mediaSecondsOf, nanoUsdOf, usdOf } from '../jobs/usage.ts';

/** Every metric that the service emits, with its CloudWatch unit. */
export const metricUnits = {
  JobsCreated: 'Count',
  JobsCompleted: 'Count',
  JobsFailed: 'Count',
  /** Of the failed jobs those of an error of the service, such as a missing permission, or of its bucket. */
  JobsFailedByService: 'Count',
  JobsRejected: 'Count',
  JobsCancelled: 'Count',
  /** From a job's creation to its first claim. */
  QueueSeconds: 'Seconds',
  /** How long the oldest job that waits for a worker has been queued. */
  OldestWaitingSeconds: 'Seconds',
  /** A worker's lease expired and the job was requeued. */
  WorkersLost: 'Count',
  /** The message of a queued job was sent again. */
  MessagesResent: 'Count',
  /** The cost of an ended job in dollars, as in its record. */
  JobUsd: 'None',
  MediaSeconds: 'Seconds',
  /** From a job's claim to its end: the time of one worker. Not emitted for a chunked job or one of another worker. */
  ComputeSeconds: 'Seconds',
  /**
   * Media seconds per second of a worker, including download and upload. Not emitted for a chunked job or one of
   * another worker.
   */
  EncodeSpeed: 'None',
  WebhooksDelivered: 'Count',
  WebhooksAbandoned: 'Count',
  ReconcileRuns: 'Count',
  ReconcileDue: 'Count',
  ReconcileFailed: 'Count',
  /** How long the oldest object of a watch that is not paused has had no job. */
  WatchLagSeconds: 'Seconds',
} as const satisfies Record<string, 'Count' | 'Seconds' | 'None'>;

export type MetricName = keyof typeof metricUnits;
export type MetricValues = { readonly [Name in MetricName]?: number };

/** The CloudWatch namespace. Each metric has one dimension, `stage`. */
export const metricNamespace = 'MediaJobs';

const terminalMetrics: Record<TerminalState, MetricName> = {
  completed: 'JobsCompleted',
  failed: 'JobsFailed',
  rejected: 'JobsRejected',
  cancelled: 'JobsCancelled',
};

/** The metrics of a written change of a job's record. Every transition writes the record once, so each is counted once. */
export function jobMetrics({ job, guard }: JobChange): MetricValues {
  if ('absent' in guard) return { JobsCreated: 1 };
  const before = 'state' in guard ? guard.state : undefined;
  if (job.state === 'queued') return requeued(before);
  if (job.state === 'processing') return before === 'queued' ? claimed(job) : {};
  if (!isTerminal(job)) return {};
  if ('leaseId' in guard || before === 'queued' || before === 'processing') return ended(job);
  return 'deliveryId' in guard && typeof guard.deliveryId === 'string' ? settled(job) : {};
}

/** A job that its worker requeued after failed chunks is guarded by its lease, not by its state: no worker was lost. */
function requeued(before: RecordState | undefined): MetricValues {
  if (before === 'queued') return { MessagesResent: 1 };
  return before === 'processing' ? { WorkersLost: 1 } : {};
}

/** Only the first claim counts: after a requeue the time since creation is not the wait in the queue. */
function claimed({ attempt, createdAt, claimedAt }: JobIn<'processing'>): MetricValues {
  return attempt === 1 ? { QueueSeconds: Math.max(0, Date.parse(claimedAt) - Date.parse(createdAt)) / 1000 } : {};
}

function ended(job: TerminalJob): MetricValues {
  const usd = job.cost === undefined ? {} : { JobUsd: usdOf(nanoUsdOf(job.cost)) };
  const byService = isFailedByService(job) ? { JobsFailedByService: 1 } : {};
  const counted: MetricValues = { [terminalMetrics[job.state]]: 1, ...byService, ...usd };
  if (job.state !== 'completed') return counted;
  const media = mediaSecondsOf(job);
  // The record does not have the total time of parallel functions, and other workers have other processors.
  const { fargateMs } = job.functionUse ?? {};
  const isOfOneFunction = (job.chunking?.chunks ?? 1) === 1 && fargateMs === undefined;
  if (!isOfOneFunction) return { ...counted, MediaSeconds: media };
  const compute = computeSecondsOf(job);
  const work = { ...counted, MediaSeconds: media, ComputeSeconds: compute };
  return media > 0 && compute > 0 ? { ...work, EncodeSpeed: media / compute } : work;
}

function isFailedByService(job: TerminalJob): boolean {
  if (job.state !== 'failed') return false;
  const { code } = job.error;
  return code === 'INTERNAL_ERROR' || (code === 'UPLOAD_ERROR' && job.destination === undefined);
}

/** A failed later attempt does not count: its job was counted when its delivery was abandoned. */
function settled({ pendingDelivery, deliveryOutcome, laterAttempts }: TerminalJob): MetricValues {
  if (pendingDelivery !== undefined) return {};
  if (deliveryOutcome === 'delivered') return { WebhooksDelivered: 1 };
  const isFirst = (laterAttempts?.begun ?? 0) === 0;
  return deliveryOutcome === 'abandoned' && isFirst ? { WebhooksAbandoned: 1 } : {};
}
