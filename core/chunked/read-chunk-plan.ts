import { type ChunkPlan, readPlan } from '@media-jobs/video/chunking';
import type { WorkerDeps } from '../worker/worker-deps.ts';
import type { EncodeChunkInput } from './task-input.ts';

/** The plan of a task. Throws if it is gone, or if another version of the service wrote it. */
export async function readChunkPlan(
  { workFiles }: WorkerDeps,
  { planKey }: Pick<EncodeChunkInput, 'planKey'>,
): Promise<ChunkPlan> {
  const text = await workFiles.readText(planKey);
  if (text === undefined) throw new Error(`No chunk plan at ${planKey}: the job's work files were removed`);
  return readPlan(text);
}
