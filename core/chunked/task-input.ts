import * as z from 'zod';

const job = { ownerId: z.string(), jobId: z.string(), leaseId: z.string(), planKey: z.string() };

/**
 * Task of encode-chunk, as the state machine sends it. `chunk` is the number of a chunk task. A run that is late sends it
 * once more, as the second run.
 */
export const encodeChunkInputSchema = z.object({
  ...job,
  chunk: z.int().min(0),
  isSecondRun: z.boolean().default(false),
});

/** Task of join-chunks. `failed` says that a chunk task failed permanently or an earlier join failed. */
export const joinChunksInputSchema = z.object({ ...job, failed: z.boolean() });

export type EncodeChunkInput = z.output<typeof encodeChunkInputSchema>;
export type JoinChunksInput = z.output<typeof joinChunksInputSchema>;
