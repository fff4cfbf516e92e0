import * as z from 'zod';
import { type AttemptOutcome, attemptOutcomeSchema, type DeliveredAttempt } from '../jobs/attempt-outcome.ts';
import type { Guard } from '../jobs/guard.ts';
import type { JobRef, JobTable, RemovalOptions, RemovalResult } from '../jobs/ports.ts';
import { deliveryFieldsSchema, isTerminal, type JobRecord, type TerminalJob } from '../jobs/record.ts';
import { jobErrorSchema, terminalStates } from '../jobs/states.ts';
import { recipeLabel } from '../jobs/usage.ts';
import type { PostLimits } from '../net/ports.ts';
import { timestampSchema } from '../timestamp.ts';

/** The wait before each attempt of a delivery, from the end of the one before: as many as there are attempts. */
export const attemptDelaysMs: readonly number[] = [0, 500, 1_000];

export const webhookLimits: PostLimits = {
  connectMs: 5_000,
  totalMs: 10_000,
  // The head decides the outcome. A receiver whose body hangs holds the function for less than `slowReceiverMs` longer.
  bodyMs: 1_000,
  maxResponseBytes: 64 * 1024,
};

/** The limits of a webhook test, whose caller waits for the response. */
export const webhookTestLimits: PostLimits = { ...webhookLimits, connectMs: 3_000, totalMs: 3_000 };

/** After this time a test whose function crashed no longer blocks the next one. */
export const webhookTestExpiryMs = 10_000;

/** A receiver that takes longer than this, for one response or to fail twice, is slow: each POST to it holds a function. */
export const slowReceiverMs = 2_000;

/** After a slow response, the deliveries of an owner are limited for this time. */
export const slowReceiverPeriodMs = 10 * 60_000;

/** When a delivery to a slow receiver stops counting, if its function crashes. Longer than an attempt and the default delay after it. */
export const slowDeliveryMs = 15_000;

/**
 * The `webhook-id` of a job's terminal event: the same for every attempt and redelivery, so receivers can deduplicate. Each
 * endpoint has one of its own.
 */
export function webhookId(jobId: string, endpointId?: string): string {
  return endpointId === undefined ? `evt_${jobId}` : `evt_${jobId}.${endpointId}`;
}

/**
 * The execution name of the n-th start of a delivery; 0 is the start after the first attempt failed, the others are by
 * reconcile. Step Functions rejects a name that was used before. This only saves executions: the guards of the record and
 * the journal prevent a second POST.
 */
export function deliveryExecutionName(deliveryId: string, starts: number): string {
  return `wh-${deliveryId}-${starts}`;
}

/** The waits of a delivery: a later attempt is a delivery of one attempt. */
export function delaysOf({ isLater }: { isLater?: true | undefined }): readonly number[] {
  return isLater === true ? attemptDelaysMs.slice(0, 1) : attemptDelaysMs;
}

/**
 * The attempt after this one, undefined after the last. `notBefore` (Unix milliseconds) is the earliest time of its
 * POST. A `Wait` state counts whole seconds only: it waits `waitSeconds`, and the function waits for the rest.
 */
export function nextAttempt({
  attempt,
  endedAt,
  delaysMs,
}: {
  attempt: number;
  endedAt: string;
  delaysMs: readonly number[];
}): { attempt: number; notBefore: number; waitSeconds: number } | undefined {
  const delayMs = delaysMs[attempt];
  if (delayMs === undefined) return undefined;
  return {
    attempt: attempt + 1,
    // Timestamps round down to a millisecond: the attempt may have ended up to 1 ms later.
    notBefore: Date.parse(endedAt) + 1 + delayMs,
    waitSeconds: Math.floor(delayMs / 1000),
  };
}

/** The `source` of every event on the stage's bus. */
export const busEventSource = 'media-jobs';

/** The `detail-type` of each terminal state. */
export const busDetailTypes = {
  completed: 'Job Completed',
  failed: 'Job Failed',
  rejected: 'Job Rejected',
  cancelled: 'Job Cancelled',
} as const;

/** The `detail` of a bus event. It has no signed URL, because a bus has many readers. */
export const busEventDetailSchema = z
  .object({
    ownerId: z.string().describe('The owner of the job.'),
    jobId: z.string(),
    state: z.enum(terminalStates),
    progress: z.int().min(0).max(100),
    completedAt: timestampSchema.describe('When the job ended.'),
    recipe: z.string().describe('The name of the recipe, or the mode: `pipeline` or `outputs`.'),
    error: jobErrorSchema.optional().describe('Present on failed and rejected jobs.'),
    metadata: z.record(z.string(), z.string()).optional(),
  })
  .meta({ id: 'BusEventDetail' });

export type BusEvent = {
  detailType: (typeof busDetailTypes)[keyof typeof busDetailTypes];
  detail: z.output<typeof busEventDetailSchema>;
};

export function busEvent(job: TerminalJob): BusEvent {
  const { ownerId, jobId, state, progress, completedAt, request } = job;
  return {
    detailType: busDetailTypes[state],
    detail: {
      ownerId,
      jobId,
      state,
      progress,
      completedAt,
      recipe: recipeLabel(request),
      error: 'error' in job ? job.error : undefined,
      metadata: request.metadata,
    },
  };
}

/** The fields of a job's record that its delivery changes, once for each endpoint: a record of their own. */
export type DeliveryFields = z.infer<typeof deliveryFieldsSchema>;

export type EndpointRef = JobRef & { endpointId: string };

/** The deliveries of jobs to endpoints. Reads are strongly consistent. */
export type EndpointDeliveries = {
  get(ref: EndpointRef): Promise<DeliveryFields | undefined>;
  /** Writes a delivery if the stored one satisfies the guard. True also if an equal one is stored. */
  write(ref: EndpointRef, delivery: DeliveryFields, guard: Guard): Promise<boolean>;
  remove(ref: EndpointRef): Promise<void>;
};

/**
 * The table of jobs as the delivery to one endpoint sees it: each ended job with the state of that delivery in place of
 * the one to its target. So every rule of a delivery holds for each endpoint. A job that is deleted or has no such
 * delivery is undefined.
 */
export function jobsTo(
  endpointId: string,
  { jobs, endpointDeliveries }: { jobs: JobTable; endpointDeliveries: EndpointDeliveries },
): JobTable {
  const get = async (ref: JobRef): Promise<JobRecord | undefined> => {
    const [job, delivery] = await Promise.all([jobs.get(ref), endpointDeliveries.get({ ...ref, endpointId })]);
    return job && isTerminal(job) && delivery ? withDelivery(job, delivery) : undefined;
  };
  return {
    ...jobs,
    get,
    write: async ({ job, guard }) => {
      if (!isTerminal(job)) throw new TypeError(`Job ${job.jobId} has not ended`);
      const { ownerId, jobId } = job;
      const isWritten = await endpointDeliveries.write(
        { ownerId, jobId, endpointId },
        deliveryFieldsSchema.parse(job),
        guard,
      );
      return isWritten ? { written: true } : { written: false, current: await get(job) };
    },
  };
}

const fields = deliveryFieldsSchema.keyof().options;

/** A job as the delivery to an endpoint sees it. Its files and its usage are those of the job's own record. */
export function withDelivery(job: TerminalJob, delivery: DeliveryFields): TerminalJob {
  const { sweepAt: _, removeAt: __, usageCounted: ___, deliveredAttempt: ____, isFirstCheck: _____, ...rest } = job;
  const own = Object.fromEntries(fields.map((field) => [field, delivery[field]]));
  const request = { ...job.request, webhookUrl: delivery.webhookTarget ?? undefined };
  return { ...rest, ...own, request } as TerminalJob;
}

/** One attempt to deliver a terminal event. Without an outcome it is in progress, or its writer crashed. */
export const deliveryAttemptSchema = z.object({
  ownerId: z.string(),
  jobId: z.string(),
  deliveryId: z.string(),
  attempt: z.int().min(1),
  /** The function that wrote the attempt. Only it may send the POST. */
  writerId: z.string(),
  startedAt: timestampSchema,
  url: z.string(),
  outcome: attemptOutcomeSchema.optional(),
  /** Epoch seconds: the table's time-to-live attribute. */
  expiresAt: z.int(),
});

export type DeliveryAttempt = z.infer<typeof deliveryAttemptSchema>;

export const lostErrorClass = 'LOST';

/** The outcome of an attempt whose writer crashed before it recorded one. It counts as failed. */
export function lostOutcome(attempt: DeliveryAttempt, now: Date): AttemptOutcome {
  return {
    delivered: false,
    endedAt: now.toISOString(),
    latencyMs: Math.max(0, now.getTime() - Date.parse(attempt.startedAt)),
    errorClass: lostErrorClass,
    error: 'The attempt was started but its outcome was never recorded; the receiver may have seen it.',
  };
}

/** Sorts attempts by delivery, oldest first, then by number. Sort keys of the table are text: "10" sorts before "2". */
export function sortAttempts(attempts: readonly DeliveryAttempt[]): DeliveryAttempt[] {
  return attempts.toSorted((a, b) => {
    if (a.deliveryId !== b.deliveryId) return a.deliveryId < b.deliveryId ? -1 : 1;
    return a.attempt - b.attempt;
  });
}

/** An attempt of the journal with its outcome, if the record of its job has it. */
export function withRecordedOutcome(
  attempt: DeliveryAttempt,
  delivered: DeliveredAttempt | undefined,
): DeliveryAttempt {
  const { deliveryId, attempt: number } = attempt;
  const isDelivered = delivered?.deliveryId === deliveryId && delivered.attempt === number;
  return isDelivered && attempt.outcome === undefined ? { ...attempt, outcome: delivered.outcome } : attempt;
}

/** Identifies an attempt; `attempt` counts from 1 within the delivery. */
export type AttemptRef = { ownerId: string; jobId: string; deliveryId: string; attempt: number };

export type JournalResult = { written: true } | { written: false; current: DeliveryAttempt | undefined };

/**
 * The journal of delivery attempts. An attempt is written before its POST and closed after it. Reads are strongly
 * consistent.
 */
export type DeliveryJournal = {
  /** Writes an attempt unless one of that number exists. A repeat by the same writer reports it as written. */
  open(attempt: DeliveryAttempt): Promise<JournalResult>;
  /** Adds the outcome unless there is one. */
  close(attempt: DeliveryAttempt): Promise<JournalResult>;
  get(ref: AttemptRef): Promise<DeliveryAttempt | undefined>;
  /** The attempts of one delivery in order, or of all deliveries of a job. */
  list(scope: { ownerId: string; jobId: string; deliveryId?: string }): Promise<DeliveryAttempt[]>;
  listLatest(job: { ownerId: string; jobId: string }, limit: number): Promise<DeliveryAttempt[]>;
  /** Removes the attempts page by page, without reading them. */
  removeAll(job: { ownerId: string; jobId: string }, options?: RemovalOptions): Promise<RemovalResult>;
};

export type DeliveryRef = Omit<AttemptRef, 'attempt'>;

/** Sends deliveries to the function that makes their first attempt: at least once, in any order. */
export type DeliveryQueue = { send(delivery: DeliveryRef): Promise<void> };

/** Starts the state machine that schedules the attempts after the first. */
export type DeliveryRetries = {
  /** Starts an execution; `exists` if its name was used before. */
  start(execution: { name: string; input: DeliveryRetry }): Promise<'started' | 'exists'>;
};

/** The input of one call of deliver-webhook. */
export type DeliveryInput = AttemptRef & {
  /** Earliest time of the attempt, in Unix milliseconds. */
  notBefore: number;
};

/** The input of the state machine: an attempt, and the whole seconds to wait before the call. */
export type DeliveryRetry = DeliveryInput & { waitSeconds: number };

export type EventBus = { publish(event: BusEvent): Promise<void> };
