import type { Guard } from '../../../core/jobs/guard.ts';
import type { JobRecord } from '../../../core/jobs/job.ts';
import type { DeliveryAttempt } from '../../../core/webhooks/attempt.ts';
import type { Fault } from './fault.ts';

/** Who did it: the app, and which of its invocations. */
export type Actor = { app: string; invocation: number };

export type Posted = {
  jobId: string;
  deliveryId: string;
  attempt: number;
  url: string;
  webhookId: string | undefined;
  body: string;
  /** It may have been on its way for long. */
  sentAt: number;
  /** What the receiver answered. */
  status: number;
};

/** One thing that happened in the world outside of the apps. The checker knows nothing else. */
export type LogEntry = { at: number } & (
  | ({ kind: 'written'; guard: Guard; before: JobRecord | undefined; after: JobRecord } & Actor)
  | { kind: 'accepted'; ownerId: string; jobId: string; key: string | undefined }
  | { kind: 'listed'; ownerId: string; jobs: readonly { jobId: string; state: string }[] }
  | ({ kind: 'attempt'; attempt: DeliveryAttempt } & Actor)
  | ({ kind: 'posted'; post: Posted } & Actor)
  | { kind: 'published'; jobId: string }
  /** The logs that the job has now. */
  | { kind: 'logs'; jobId: string; count: number }
  | { kind: 'object-stored' | 'object-removed'; key: string }
  | ({
      kind: 'fault';
      fault: Fault | 'killed' | 'timed-out';
      effect: string;
      jobId: string | undefined;
    } & Actor)
);
