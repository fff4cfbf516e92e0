import { type ChunkPlan, readPlan } from '@media-jobs/video/chunking';
import type { WorkerPorts } from '../worker/ports.ts';

/** The plan of a task. Throws if it is gone, or if another version of the service wrote it. */
export async function readChunkPlan({ files }: WorkerPorts, { planKey }: { planKey: string }): Promise<ChunkPlan> {
  const text = await files.readText(planKey);
  if (text === undefined) throw new Error(`No chunk plan at ${planKey}: the job's work files were removed`);
  return readPlan(text);
}
