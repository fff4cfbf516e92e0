import type { ChunkResult, TaskFiles, TaskWork } from '@media-jobs/video/chunking';
import {
  type ChunkTask,
  encodeFileTimes,
  type FirstResults,
  measureChunk,
  targetOf,
  targetOfChunk,
  taskCommand,
  taskFileCount,
} from '@media-jobs/video/chunking';
import { mapConcurrent } from '../../core/async/map-concurrent.ts';
import type { ChunkRunner } from '../../core/chunked/chunk-runner.ts';
import { encodeToBudget } from './encode-to-budget.ts';
import { retimeChunk } from './retime-chunk.ts';

/** Paths of the encoded files by their numbers, and their measurements. */
export type EncodedTask = { paths: string[]; result: Omit<ChunkResult, 'runId' | 'runs'> };

// Each is a short, single-threaded ffprobe process.
const maxConcurrentReads = 2;

/**
 * Encodes one chunk task and measures the files for the verification of the join.
 * @param first the results of the tasks that `runsFirst` tells, in the order of their numbers
 */
export async function encodeTask(
  runner: ChunkRunner,
  { work, task, files, first = [] }: { work: TaskWork; task: ChunkTask; files: TaskFiles; first?: FirstResults },
  onPercent?: (percent: number) => void,
): Promise<EncodedTask> {
  const paths = Array.from({ length: taskFileCount(task) }, (_, file) => files.outputPath(file));
  if (task.kind === 'chunk' && targetOf(work.encoding) !== undefined) {
    const target = targetOfChunk(work, task.chunk, first);
    const index = await encodeToBudget(runner, { work, chunk: task.chunk, files, target }, onPercent);
    return { paths, result: { renditions: [measureChunk(index)] } };
  }
  await runner.run(taskCommand(work, task, files), onPercent);
  if (task.kind === 'measurement') {
    const { sizeBytes } = await runner.readFrameIndex(files.outputPath(0));
    return { paths, result: { measuredBytes: sizeBytes } };
  }
  if (task.kind === 'audio') {
    return {
      paths,
      result: { audio: await mapConcurrent(paths, maxConcurrentReads, runner.readAudioRange) },
    };
  }
  const { chunk } = task;
  const renditions = await mapConcurrent(paths, maxConcurrentReads, async (path) => {
    if (!work.hasFinalFragments) return measureChunk(await runner.readFrameIndex(path));
    const retimed = await retimeChunk(runner.rewriter, path, { work, chunk });
    const index = await runner.readFrameIndex(path);
    return { ...measureChunk(index), fragmentTable: { ...retimed, frameTimes: encodeFileTimes(index) } };
  });
  return { paths, result: { renditions } };
}
