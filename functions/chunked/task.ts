import * as z from 'zod';
import { type ChunkPlan, readPlan } from '../../core/chunking/plan/chunk-plan.ts';
import { JobError } from '../../core/errors.ts';
import type { WorkerDeps } from '../worker/worker-deps.ts';

const job = { ownerId: z.string(), jobId: z.string(), leaseId: z.string(), planKey: z.string() };

/** Task of encode-chunk, as the state machine sends it. `chunk` is the number of a chunk task. */
export const encodeChunkInputSchema = z.object({ ...job, chunk: z.int().min(0) });

/** Task of join-chunks. `failed` says that a chunk task failed permanently or an earlier join failed. */
export const joinChunksInputSchema = z.object({ ...job, failed: z.boolean() });

export type EncodeChunkInput = z.output<typeof encodeChunkInputSchema>;
export type JoinChunksInput = z.output<typeof joinChunksInputSchema>;

/** The plan of a task. Throws if it is gone, or if another version of the service wrote it. */
export async function readChunkPlan(
  { workFiles }: WorkerDeps,
  { planKey }: Pick<EncodeChunkInput, 'planKey'>,
): Promise<ChunkPlan> {
  const text = await workFiles.readText(planKey);
  if (text === undefined) throw new Error(`No chunk plan at ${planKey}: the job's work files were removed`);
  return readPlan(text);
}

/** Whether a retry of the same task would fail in the same way. */
export function isPermanentFailure(cause: unknown): cause is JobError {
  return cause instanceof JobError && !cause.retryable;
}
