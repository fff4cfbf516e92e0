import type { FeedEntry } from '../../../core/feed/feed-entry.ts';
import type { Guard } from '../../../core/jobs/guard.ts';
import type { JobRecord } from '../../../core/jobs/record.ts';
import type { UsageGroup } from '../../../core/jobs/usage.ts';
import type { UsageCounter } from '../../../core/jobs/usage-counter.ts';
import type { WebhookEndpoint } from '../../../core/settings/owner-settings.ts';
import type { SpendingCounter } from '../../../core/spending/spending-counter.ts';
import type { DeliveryAttempt, DeliveryFields, EndpointRef } from '../../../core/webhooks/delivery.ts';
import type { ProviderChange } from '../memory/object-store.ts';
import type { Fault } from './fault.ts';
import type { MediaOrigin } from './media-origin.ts';

/** An app, and one of its invocations. */
export type Actor = { app: string; invocation: number };

export type Posted = {
  jobId: string;
  deliveryId: string;
  attempt: number;
  url: string;
  webhookId: string | undefined;
  body: string;
  /** When it was sent; it may arrive much later. */
  sentAt: number;
  /** When the function stops waiting for the answer. */
  endsAt: number;
  /** The status of the receiver's answer. */
  status: number;
};

/** An event outside of the apps. The checker knows nothing else. */
export type LogEntry = { at: number } & (
  | ({ kind: 'written'; guard: Guard; before: JobRecord | undefined; after: JobRecord } & Actor)
  /** The delivery of a job to an endpoint was written. */
  | ({ kind: 'endpoint-written'; ref: EndpointRef; before: DeliveryFields | undefined; after: DeliveryFields } & Actor)
  /** An owner has an endpoint, from the start. */
  | { kind: 'endpoint'; ownerId: string; endpoint: WebhookEndpoint }
  /** A chunk task recorded its progress. */
  | ({ kind: 'recorded'; before: JobRecord; after: JobRecord } & Actor)
  | { kind: 'accepted'; ownerId: string; jobId: string; key: string | undefined }
  | { kind: 'listed'; ownerId: string; jobs: readonly { jobId: string; state: string }[] }
  | ({ kind: 'attempt'; attempt: DeliveryAttempt } & Actor)
  | ({ kind: 'posted'; post: Posted } & Actor)
  | { kind: 'published'; jobId: string }
  /** From now on the owner's deliveries to this origin are limited. */
  | { kind: 'slow-receivers'; ownerId: string; origin: string }
  /** The entries that an owner's running jobs have taken, as `<jobId>#<attempt>`, the limit, and the workers of the stage. */
  | { kind: 'running'; ownerId: string; entries: readonly string[]; max: number; workers: number }
  /** The counter of an owner's usage in a group after a write. */
  | { kind: 'usage'; ownerId: string; group: UsageGroup | undefined; counter: UsageCounter }
  /** The counter of a cap after a write. */
  | { kind: 'spending'; ownerId: string; keyId: string | undefined; counter: SpendingCounter }
  /** The number of logs that the job has now. */
  | { kind: 'logs'; jobId: string; count: number }
  | { kind: 'announced'; entry: FeedEntry }
  | { kind: 'object-stored'; key: string; made: MediaOrigin }
  | { kind: 'object-removed'; key: string }
  /** An object became visible at a storage provider, or was removed there. */
  | ProviderChange
  /** A run of ffmpeg ended, with success or not. */
  | ({ kind: 'encoded'; jobId: string; begunAt: number; made: MediaOrigin } & Actor)
  /** An execution of the state machine of chunked jobs changed its status. */
  | { kind: 'execution'; jobId: string; name: string; status: 'started' | 'succeeded' | 'failed' | 'stopped' }
  /** A task queue delivered a message, or released its group. */
  | {
      kind: 'task';
      /** Of both entries of a delivery. */
      delivery: string;
      /** The number of a chunk task. */
      chunk?: number;
      jobId: string;
      ownerId: string;
      queue: string;
      group: string;
      status: 'delivered' | 'released';
    }
  /** An execution sent a task to a queue. */
  | { kind: 'called'; jobId: string; name: string; called: string }
  /** A function that processed a job returned or died. */
  | ({ kind: 'ended'; jobId: string; ms: number } & Actor)
  /** A function returned while it still had a pending sleep. */
  | ({ kind: 'left-running'; jobId: string | undefined } & Actor)
  | ({
      kind: 'fault';
      fault: Fault | 'killed' | 'timed-out' | 'interrupted';
      effect: string;
      /** The job of the call. */
      jobId: string | undefined;
      /** The job of the message, after a claim the claimed one, if not that of the call. */
      jobOfInvocation?: string | undefined;
    } & Actor)
);
