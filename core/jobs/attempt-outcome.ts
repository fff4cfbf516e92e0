import * as z from 'zod';
import { timestampSchema } from '../timestamp.ts';

export const attemptOutcomeSchema = z.object({
  delivered: z.boolean(),
  endedAt: timestampSchema,
  status: z.int().optional(),
  latencyMs: z.int().min(0),
  /** IP address of the connection. */
  address: z.string().optional(),
  errorClass: z.string().optional(),
  error: z.string().optional(),
  /** The first 4 KiB of the response body. */
  responseBody: z.string().optional(),
});

export type AttemptOutcome = z.infer<typeof attemptOutcomeSchema>;

/**
 * The attempt that delivered a job's webhook, with its outcome: the write that settles the delivery records it. Such an
 * attempt stays open in the journal, which saves a write.
 */
export const deliveredAttemptSchema = z.object({
  deliveryId: z.string(),
  attempt: z.int().min(1),
  outcome: attemptOutcomeSchema,
});

export type DeliveredAttempt = z.infer<typeof deliveredAttemptSchema>;
