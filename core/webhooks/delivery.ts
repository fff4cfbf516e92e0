import * as z from 'zod';
import type { Guard } from '../jobs/guard.ts';
import type { JobRef, JobTable } from '../jobs/ports.ts';
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
    ownerId: z.string().meta({ description: 'The owner of the job.' }),
    jobId: z.string(),
    state: z.enum(terminalStates),
    progress: z.int().min(0).max(100),
    completedAt: timestampSchema.meta({ description: 'When the job ended.' }),
    recipe: z.string().meta({ description: 'The name of the recipe, or the mode: `pipeline` or `outputs`.' }),
    error: jobErrorSchema.optional().meta({ description: 'Present on failed and rejected jobs.' }),
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
