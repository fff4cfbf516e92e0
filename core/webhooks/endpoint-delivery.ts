import type * as z from 'zod';
import type { Guard } from '../jobs/guard.ts';
import type { JobRef, JobTable } from '../jobs/ports.ts';
import { deliveryFieldsSchema, isTerminal, type JobRecord, type TerminalJob } from '../jobs/record.ts';

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
