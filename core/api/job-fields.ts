import * as z from 'zod';

/** The request headers of a route that makes a job. */
export const idempotencyHeaders = z.object({
  'idempotency-key': z
    .string()
    .regex(/^[\x20-\x7e]{1,255}$/, 'must be 1 to 255 printable ASCII characters')
    .optional()
    .meta({
      description:
        'Makes the request safe to repeat: within 24 hours, the same key and body get the same job and the first answer again. 1 to 255 printable ASCII characters.',
    }),
});

/** What the answers of such a route say of it. */
export const replayedHeader = {
  'Idempotent-Replayed': '`true` where this answer repeats that of an earlier request.',
};

/** One pair of a job's metadata in the form of a record: key and value. */
export const metadataPairsSchema = z.record(z.string().min(1).max(40), z.string().max(500), {
  error: ({ code }) => (code === 'invalid_key' ? 'keys are 1 to 40 characters long' : undefined),
});

/** Up to 20 pairs of the caller's own, given back with the job and its webhook. */
export const metadataSchema = metadataPairsSchema.refine(
  (pairs) => Object.keys(pairs).length <= 20,
  'at most 20 pairs',
);
