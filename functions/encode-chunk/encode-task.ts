import { type TaskFiles, type TaskWork, taskCommand } from '../../core/chunking/commands/task-command.ts';
import { type ChunkTask, taskFileCount } from '../../core/chunking/plan/chunk-plan.ts';
import type { ChunkResult } from '../../core/chunking/plan/work-files.ts';
import { measureChunk } from '../../core/chunking/verify/verify-join.ts';
import type { ChunkRunner } from '../chunked/chunk-runner.ts';
import { mapConcurrent } from '../worker/map-concurrent.ts';

/** Paths of the encoded files by their numbers, and their measurements. */
export type EncodedTask = { paths: string[]; result: Omit<ChunkResult, 'runs'> };

// Each reads packets in a short process of one thread.
const maxConcurrentReads = 2;

/** Encodes one chunk task and measures the files for the verification of the join. */
export async function encodeTask(
  runner: ChunkRunner,
  { work, task, files }: { work: TaskWork; task: ChunkTask; files: TaskFiles },
  onPercent?: (percent: number) => void,
): Promise<EncodedTask> {
  await runner.run(taskCommand(work, task, files), onPercent);
  const paths = Array.from({ length: taskFileCount(work, task) }, (_, file) => files.outputPath(file));
  if (task.kind === 'audio') {
    return { paths, result: { audio: await runner.readAudioRange(files.outputPath(0)) } };
  }
  const renditions = await mapConcurrent(paths, maxConcurrentReads, async (path) =>
    measureChunk(await runner.readFrameIndex(path)),
  );
  return { paths, result: { renditions } };
}
