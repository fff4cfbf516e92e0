import type { ChunkedWork } from '@media-jobs/video/chunking';
import type { JobResult, StepsInBucket } from '../../core/jobs/job-result.ts';
import type { TerminalJob } from '../../core/jobs/record.ts';
import type { PendingPublication } from '../../core/publish/publish-result.ts';

/** A chunk plan in the media bucket. */
export type StoredChunkPlan = {
  work: ChunkedWork;
  planKey: string;
  /** The completed steps of a pipeline, if the worker has run some in front of this one. */
  steps?: StepsInBucket | undefined;
};

/** The result of the work of an attempt, by which it then ends its job. */
export type Outcome =
  | { kind: 'finished'; result: JobResult }
  /** All bytes are at the storage provider, and nothing is visible yet. */
  | ({ kind: 'uploaded' } & PendingPublication)
  | { kind: 'chunks'; plan: StoredChunkPlan }
  /** A Fargate task goes on, for a reason that the owner of the job reads. */
  | { kind: 'task'; reason: string }
  /** No task of the pool can end the job: it becomes a standard one. */
  | { kind: 'leave-pool' }
  /** The job is long, and as many long jobs run as may run. */
  | { kind: 'queue-full' }
  /** `isFailure`: the job fails with it, whatever the stage. */
  | { kind: 'error'; error: unknown; isFailure?: boolean };

/** How an attempt ended. `lost`: the job was cancelled, or another worker has it. */
export type AttemptResult = TerminalJob['state'] | 'lost' | 'requeued' | 'waits-for-limit' | 'delegated';
