import * as z from 'zod';

/** One pair of a job's metadata in the form of a record: key and value. */
export const metadataPairsSchema = z.record(z.string().min(1).max(40), z.string().max(500), {
  error: ({ code }) => (code === 'invalid_key' ? 'keys are 1 to 40 characters long' : undefined),
});

/** Up to 20 pairs of the caller's own, given back with the job and its webhook. */
export const metadataSchema = metadataPairsSchema.refine(
  (pairs) => Object.keys(pairs).length <= 20,
  'at most 20 pairs',
);
