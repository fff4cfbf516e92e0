import type { Chunking } from './record.ts';

/** The decision on chunks of a step of a pipeline, behind those of the steps that are completed. A single pass is 1. */
export function addChunking(earlier: Chunking | undefined, { chunks, reason }: Chunking): Chunking {
  if (earlier === undefined) return { chunks, reason };
  return {
    chunks: chunks === 1 ? earlier.chunks : (earlier.chunks === 1 ? 0 : earlier.chunks) + chunks,
    reason: `${earlier.reason}. ${reason}`,
  };
}
