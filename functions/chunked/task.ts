import * as z from 'zod';
import { type ChunkPlan, readPlan } from '../../core/chunking/plan/chunk-plan.ts';
import type { WorkerDeps } from '../worker/worker-deps.ts';

const job = { ownerId: z.string(), jobId: z.string(), leaseId: z.string(), planKey: z.string() };

/** What the state machine asks of a function that encodes a part. */
export const encodeTaskSchema = z.object({ ...job, chunk: z.int().min(0) });

/** What it asks of the one that joins them: whether parts failed for good is its business too. */
export const joinTaskSchema = z.object({ ...job, failed: z.boolean() });

export type EncodeTask = z.output<typeof encodeTaskSchema>;
export type JoinTask = z.output<typeof joinTaskSchema>;

/** The plan that a task works from. Throws where it is gone, or of another version of the service. */
export async function readChunkPlan(
  { workFiles }: WorkerDeps,
  { planKey }: Pick<EncodeTask, 'planKey'>,
): Promise<ChunkPlan> {
  const text = await workFiles.readText(planKey);
  if (text === undefined) throw new Error(`There is no plan at ${planKey}`);
  return readPlan(text);
}
