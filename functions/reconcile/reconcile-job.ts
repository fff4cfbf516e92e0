import type { JobLogs } from '../../core/jobs/attempt-log.ts';
import type { ListedFiles, ParallelStateMachine } from '../../core/jobs/chunked-ports.ts';
import type { MetadataIndex } from '../../core/jobs/metadata-index.ts';
import type { FargateMachine, MediaFiles, TranscodeQueue } from '../../core/jobs/ports.ts';
import type { UsageCounters } from '../../core/jobs/usage-counter.ts';
import type { SpendingCounters } from '../../core/spending/spending-counter.ts';
import type { OpenObjectStore } from '../../core/storage/object-store.ts';
import type { TerminateJobDeps } from '../../core/termination/terminate-job.ts';
import type { DeliveryJournal, DeliveryRetries, EndpointDeliveries } from '../../core/webhooks/delivery.ts';

export type ReconcileJobDeps = TerminateJobDeps & {
  queue: TranscodeQueue;
  parallel: Pick<ParallelStateMachine, 'isRunning'>;
  /** Undefined if the stage has no Fargate tasks. */
  fargateMachine?: Pick<FargateMachine, 'isRunning'> | undefined;
  journal: DeliveryJournal;
  endpointDeliveries: EndpointDeliveries;
  retries: DeliveryRetries;
  logs: JobLogs;
  metadataIndex: Pick<MetadataIndex, 'remove'>;
  usage: UsageCounters;
  spending: SpendingCounters;
  files: ListedFiles & { removeAll: MediaFiles['removeAll'] };
  openObjectStore: OpenObjectStore;
  /** A job that was queued for longer fails. */
  maxQueueMs: number;
};

export type ReconcileStep =
  | 'resent'
  | 'requeued'
  /** It is a standard job from now on. */
  | 'left-pool'
  | 'timed-out'
  | 'still-running'
  /** Step Functions throttled the check of its execution. It stays due, so the next run begins with it. */
  | 'check-throttled'
  | 'worker-lost'
  | 'delivery-resumed'
  /** It is among the deliveries from now on. */
  | 'delivery-listed'
  /** A later attempt of an abandoned delivery has begun. */
  | 'delivery-attempted-later'
  | 'swept'
  /** More is left to remove; the next run continues. */
  | 'sweep-continues'
  /** The storage provider did not respond; a later run tries again. */
  | 'provider-unavailable'
  | 'not-due'
  /** The record has changed since it was read; the guard rejected the write. */
  | 'superseded';
