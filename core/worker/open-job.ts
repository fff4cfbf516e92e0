import * as z from 'zod';
import { poolCapacities } from '../jobs/queues.ts';

const refSchema = z.object({ ownerId: z.string(), jobId: z.string() });

/** What a worker asks open-job for: the next job, for a message of the queue or a task of the pool, or the job whose lease it holds. */
export const openJobRequestSchema = z.union([
  z.strictObject({ message: refSchema }),
  z.strictObject({ pool: z.enum(poolCapacities) }),
  z.strictObject({ lease: refSchema.extend({ leaseId: z.string() }) }),
]);

export type OpenJobRequest = z.infer<typeof openJobRequestSchema>;

/** What open-job answers: null if there is no job for the worker. The clients of AWS read the times of credentials. */
export const openJobAnswerSchema = z
  .object({
    /** The record, in the format of `node:v8`: JSON has no dates. */
    job: z.base64(),
    credentials: z.object({
      accessKeyId: z.string(),
      secretAccessKey: z.string(),
      sessionToken: z.string(),
      expiration: z.coerce.date(),
    }),
  })
  .nullable();
