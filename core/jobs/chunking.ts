import * as z from 'zod';

/**
 * The number of chunks that a job's video is encoded in (1: a single pass), and the reason as a sentence. Of a pipeline: the
 * chunks of all its steps, and the reason of each.
 */
export const chunkingSchema = z.object({ chunks: z.int().min(1), reason: z.string() });

export type Chunking = z.infer<typeof chunkingSchema>;

/** The decision on chunks of a step of a pipeline, behind those of the steps that are completed. A single pass is 1. */
export function addChunking(earlier: Chunking | undefined, { chunks, reason }: Chunking): Chunking {
  if (earlier === undefined) return { chunks, reason };
  return {
    chunks: chunks === 1 ? earlier.chunks : (earlier.chunks === 1 ? 0 : earlier.chunks) + chunks,
    reason: `${earlier.reason}. ${reason}`,
  };
}
