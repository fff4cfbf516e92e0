import { taskCommand } from '../../core/chunking/commands/task-command.ts';
import type { TaskFiles, TaskWork } from '../../core/chunking/commands/task-files.ts';
import type { ChunkPlan } from '../../core/chunking/plan/chunk-plan.ts';
import { type ChunkTask, chunkTasks, taskFileCount } from '../../core/chunking/plan/chunk-tasks.ts';
import { type FirstResults, targetOf, targetOfChunk } from '../../core/chunking/plan/rate-target.ts';
import { type ChunkFailure, type ChunkResult, chunkKeys } from '../../core/chunking/plan/work-files.ts';
import { measureChunk } from '../../core/chunking/verify/verify-join.ts';
import { subtitlesOf } from '../../core/encoding/encoding.ts';
import { JobError } from '../../core/errors.ts';
import { findExceededCost } from '../../core/pricing/cost-limit.ts';
import { type ChunkRunner, chunkRunner } from '../chunked/chunk-runner.ts';
import { openTemporaryWorkspace, removeWorkFiles } from '../chunked/cleanup.ts';
import { type EncodeChunkInput, readChunkPlan } from '../chunked/task.ts';
import { type Watch, watchJob } from '../chunked/watch-job.ts';
import { mapConcurrent } from '../worker/map-concurrent.ts';
import { recordRuns } from '../worker/run-log.ts';
import type { ChunkWorkerDeps, EncodeChunkDeps } from '../worker/worker-deps.ts';
import { encodeToBudget } from './encode-to-budget.ts';
import { loadFirstResults } from './first-results.ts';

export type EncodeChunkResult = 'done' | 'lost';

/**
 * Encodes one chunk task of a job before `deadline` and stores its files and its result beside the plan. Does nothing if
 * the result exists. Returns `lost` if the job has ended or another attempt holds its lease.
 * @throws JobError that ended the encoding; any other error is transient
 */
export function encodeChunk(
  deps: EncodeChunkDeps,
): (task: EncodeChunkInput, deadline: Date) => Promise<EncodeChunkResult> {
  return async (task, deadline) => {
    const watch = await watchJob(deps, task, (job) =>
      findExceededCost(job, deps.pricedStage, deps.clock.now()),
    );
    let isDone = false;
    try {
      isDone = watch !== undefined && (await encodeUnlessLost(deps, task, { watch, deadline }));
    } finally {
      // After an error too: the task may have failed because the job ended and its work files were removed.
      if (!isDone) await removeWorkFiles(deps, task);
    }
    return isDone ? 'done' : 'lost';
  };
}

type Context = { watch: Watch; deadline: Date };

/** False if the lease was lost meanwhile, whatever the outcome of the encoding. */
async function encodeUnlessLost(
  deps: EncodeChunkDeps,
  task: EncodeChunkInput,
  context: Context,
): Promise<boolean> {
  const { watch } = context;
  try {
    await encodeAndStore(deps, task, context);
    watch.report(100);
  } catch (cause) {
    if (!watch.isLost()) throw watch.signal.aborted ? watch.signal.reason : cause;
  } finally {
    await watch.end();
  }
  return !watch.isLost();
}

/** Stores the result last: it marks the task as complete. */
async function encodeAndStore(
  deps: EncodeChunkDeps,
  task: EncodeChunkInput,
  context: Context,
): Promise<void> {
  const { workFiles, files } = deps;
  const { signal } = context.watch;
  signal.throwIfAborted();
  const keys = chunkKeys(task.planKey, task.chunk);
  if ((await workFiles.readText(keys.resultKey)) !== undefined) return;
  const plan = await readChunkPlan(deps, task);
  const chunkTask = chunkTasks(plan.work)[task.chunk];
  if (chunkTask === undefined) throw new Error(`The plan at ${task.planKey} has no chunk task ${task.chunk}`);
  const { encoder, runs } = recordRuns(deps.encoder);
  await using opened = await openTemporaryWorkspace(deps, task);
  const directory = await opened.workspace.makeDirectory('chunk');
  const subtitles = { path: `${directory}/subtitles.srt`, fontsDirectory: deps.fontsDirectory };
  const { text } = subtitlesOf(plan.work.encoding) ?? {};
  if (text !== undefined) await opened.workspace.writeText(subtitles.path, text);
  const first = await loadFirstResults(deps, { plan, task: chunkTask, planKey: task.planKey });
  const request = { plan, task: chunkTask, directory, subtitles, first };
  const encoding = encodeFromProxy({ ...deps, encoder }, request, context);
  const encoded = await encoding.catch(async (cause: unknown) => {
    // join-chunks shows it to the job's owner.
    if (cause instanceof JobError && !signal.aborted) {
      const failure: ChunkFailure = {
        message: cause.message,
        ...(isSourceGone(cause, plan) && { isSourceGone: true }),
        runs: [...runs],
      };
      await workFiles.writeText(keys.failureKey, JSON.stringify(failure));
    }
    throw cause;
  });
  for (const [file, path] of encoded.paths.entries()) {
    await files.upload({ path, key: keys.fileKey(file), mimeType: 'application/octet-stream', signal });
  }
  const result: ChunkResult = { ...encoded.result, runs: [...runs] };
  signal.throwIfAborted();
  await workFiles.writeText(keys.resultKey, JSON.stringify(result));
}

/** Whether the server of an input by URL no longer has the version that was planned. */
function isSourceGone({ code, retryable }: JobError, { source }: ChunkPlan): boolean {
  return 'validator' in source && code === 'INPUT_UNREACHABLE' && !retryable;
}

type EncodeRequest = {
  plan: ChunkPlan;
  task: ChunkTask;
  directory: string;
  first: FirstResults;
} & Pick<TaskFiles, 'subtitles'>;

/** Reads the source through a proxy, so that the disk holds the encoded files only. */
async function encodeFromProxy(
  deps: ChunkWorkerDeps,
  { plan, task, directory, subtitles, first }: EncodeRequest,
  { watch: { job, signal, report }, deadline }: Context,
): Promise<EncodedTask> {
  const { work, source, overlay } = plan;
  const objects = { source, ...(overlay && { overlay }) };
  await using proxy = await deps.openRangeProxy(objects, { job, signal });
  const files = {
    source: proxy.urlOf('source'),
    overlay: overlay && proxy.urlOf('overlay'),
    subtitles,
    isRemote: true,
    outputPath: (file: number) => `${directory}/encoded-${file}`,
  };
  const runner = chunkRunner(deps, { directory, signal, deadline, proxy });
  return await encodeTask(runner, { work, task, files, first }, report);
}

/** Paths of the encoded files by their numbers, and their measurements. */
export type EncodedTask = { paths: string[]; result: Omit<ChunkResult, 'runs'> };

// Each is a short, single-threaded ffprobe process.
const maxConcurrentReads = 2;

/**
 * Encodes one chunk task and measures the files for the verification of the join.
 * @param first the results of the tasks that `runsFirst` tells, in the order of their numbers
 */
export async function encodeTask(
  runner: ChunkRunner,
  {
    work,
    task,
    files,
    first = [],
  }: { work: TaskWork; task: ChunkTask; files: TaskFiles; first?: FirstResults },
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
  const renditions = await mapConcurrent(paths, maxConcurrentReads, async (path) =>
    measureChunk(await runner.readFrameIndex(path)),
  );
  return { paths, result: { renditions } };
}
