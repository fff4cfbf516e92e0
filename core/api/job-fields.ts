import * as z from 'zod';
import type { Use } from './contract.ts';

/** The request headers of the routes that make something. */
export const idempotencyHeaders = z.object({
  'idempotency-key': z
    .string()
    .regex(/^[\x20-\x7e]{1,255}$/, 'Must be 1 to 255 printable ASCII characters')
    .optional()
    .meta({
      description:
        'Makes the request safe to repeat: for 24 hours, the same key and body return what the first request made and its response. 1 to 255 printable ASCII characters.',
    }),
});

export const replayedHeader = { 'Idempotent-Replayed': '`true` if this response repeats that of an earlier request.' };

/** Metadata pairs, as filters of the job list. */
export const metadataPairsSchema = z.record(z.string().min(1).max(40), z.string().max(500), {
  error: ({ code }) => (code === 'invalid_key' ? 'Must have keys of 1 to 40 characters' : undefined),
});

/** The metadata of a job request. */
export const metadataSchema = metadataPairsSchema.refine(
  (pairs) => Object.keys(pairs).length <= 20,
  'Must have at most 20 pairs',
);

/** The uses of a route that submits a job, a new one or a retry. */
export const submissionUses: readonly Use[] = [
  'table.get',
  'waiting.query',
  'table.put',
  'table.batchWrite',
  'table.update',
  'queue.send',
  'minute.price',
  'speeds.choose',
  'buckets.describe',
];
