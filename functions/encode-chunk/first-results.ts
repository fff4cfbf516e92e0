import {
  type ChunkPlan,
  type ChunkTask,
  chunkTasks,
  type FirstResults,
  parseChunkResult,
  runsFirst,
  targetOf,
} from '@media-jobs/video/chunking';
import { mapConcurrent } from '../../core/async.ts';
import { chunkKeys } from '../../core/jobs/work-files.ts';
import type { WorkerPorts } from '../../core/worker/ports.ts';

const maxConcurrentRequests = 16;

/** The results that a task depends on, in the order of their tasks: of a video chunk with a target bit rate. */
export async function loadFirstResults(
  { files }: WorkerPorts,
  { plan: { work }, task, planKey }: { plan: ChunkPlan; task: ChunkTask; planKey: string },
): Promise<FirstResults> {
  if (task.kind !== 'chunk' || targetOf(work.encoding) === undefined) return [];
  const numbers = [...chunkTasks(work).entries()].filter(([, each]) => runsFirst(work, each)).map(([number]) => number);
  return mapConcurrent(numbers, maxConcurrentRequests, async (number) => {
    const text = await files.readText(chunkKeys(planKey, number).resultKey);
    const result = text === undefined ? undefined : parseChunkResult(text);
    if (result === undefined) throw new Error(`Task ${number} of ${planKey} has no result yet`);
    return result;
  });
}
