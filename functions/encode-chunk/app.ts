import {
  type ChunkFailure,
  type ChunkPlan,
  type ChunkTask,
  checkCommand,
  chunkTasks,
  type FirstResults,
  isStraggler,
  parseChunkResult,
  runsFirst,
  sourcesOfTask,
  type TaskFiles,
  targetOf,
} from '@media-jobs/video/chunking';
import { JobError } from '@media-jobs/video/errors';
import { type Encoder, type FileRewriter, type RunOptions, recordRuns } from '@media-jobs/video/ffmpeg';
import { mapConcurrent } from '../../core/async.ts';
import { chunkRunner, openTemporaryWorkspace, removeWorkFiles } from '../../core/chunked/chunk-runner.ts';
import { type EncodeChunkInput, readChunkPlan, type SecondRun } from '../../core/chunked/run-task-message.ts';
import { type Watch, watchJob } from '../../core/chunked/watch-job.ts';
import { chunkKeys, sourceName } from '../../core/jobs/stored-file.ts';
import { findExceededCost } from '../../core/pricing/cost-limit.ts';
import type { ChunkPorts, WorkerPorts } from '../../core/worker/ports.ts';
import { remainingSeconds } from '../../core/worker/worker-context.ts';
import { type EncodedTask, encodeTask, storeRun } from './encode-task.ts';

export type EncodeChunkPorts = ChunkPorts & { fontsDirectory: string };

export type EncodeChunkResult = 'done' | 'lost';

/**
 * Encodes one chunk task of a job before `deadline` and stores its files and its result beside the plan. Does nothing if
 * the result exists, and stops once another run of the task has stored it. Starts a second run if this one is late. Returns
 * `lost` if the job has ended or another attempt holds its lease.
 * @throws JobError that ended the encoding; any other error is transient
 */
export function encodeChunk(
  deps: EncodeChunkPorts,
): (task: EncodeChunkInput, deadline: Date, secondRun?: SecondRun) => Promise<EncodeChunkResult> {
  return async (task, deadline, secondRun) => {
    // At the start the result tells whether the task is complete.
    let wasComplete: boolean | undefined;
    const watch = await watchJob(deps, task, (job) => {
      const isNowComplete = job.chunkProgress?.[task.chunk] === 100;
      wasComplete ??= isNowComplete;
      if (isNowComplete && !wasComplete) return new SupersededError();
      return findExceededCost(job, deps.money.stage, deps.clock.now());
    });
    let isDone = false;
    try {
      isDone = watch !== undefined && (await encodeUnlessLost(deps, task, { watch, deadline, secondRun }));
    } finally {
      // After an error too: the task may have failed because the job ended and its work files were removed.
      if (!isDone) await removeWorkFiles(deps, task);
    }
    return isDone ? 'done' : 'lost';
  };
}

/** Another run has stored the result of the task. */
class SupersededError extends Error {
  override readonly name = 'SupersededError';
}

type Context = { watch: Watch; deadline: Date; secondRun: SecondRun | undefined };

/** False if the lease was lost meanwhile, whatever the outcome of the encoding. */
async function encodeUnlessLost(deps: EncodeChunkPorts, task: EncodeChunkInput, context: Context): Promise<boolean> {
  const { watch } = context;
  try {
    await encodeAndStore(deps, task, context);
    watch.report(100);
  } catch (cause) {
    if (watch.signal.reason instanceof SupersededError) watch.report(100);
    else if (!watch.isLost()) throw watch.signal.aborted ? watch.signal.reason : cause;
  } finally {
    await watch.end();
  }
  return !watch.isLost();
}

/** Each decodes two seconds. */
const maxConcurrentChecks = 2;

/**
 * Decodes the start and the end of each encoded file of a chunk, which the join puts together without decoding them.
 * @throws JobError `TRANSCODE_ERROR`, which may be retried: another function may write the file undamaged
 */
async function checkEnds(media: Encoder, paths: readonly string[], options: RunOptions): Promise<void> {
  await mapConcurrent(paths, maxConcurrentChecks, async (path) => {
    await media.run(checkCommand(path), options).catch((cause: unknown) => {
      if (!(cause instanceof JobError) || cause.code !== 'TRANSCODE_ERROR') throw cause;
      const message = `Its start or its end cannot be decoded: ${cause.message}`;
      throw new JobError('TRANSCODE_ERROR', message, { retryable: true, cause });
    });
  });
}

const maxConcurrentRequests = 16;

/** The results that a task depends on, in the order of their tasks: of a video chunk with a target bit rate. */
async function loadFirstResults(
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

/** Encodes a chunk task under a watched job. Does nothing if its result is stored. */
export async function encodeAndStore(deps: EncodeChunkPorts, task: EncodeChunkInput, context: Context): Promise<void> {
  const { files } = deps;
  const { watch, secondRun } = context;
  const { signal } = watch;
  signal.throwIfAborted();
  const keys = chunkKeys(task.planKey, task.chunk);
  if ((await files.readText(keys.resultKey)) !== undefined) return;
  const plan = await readChunkPlan(deps, task);
  const chunkTask = chunkTasks(plan.work)[task.chunk];
  if (chunkTask === undefined) throw new Error(`The plan at ${task.planKey} has no chunk task ${task.chunk}`);
  watch.onRead(async (job, progress) => {
    if (isStraggler(plan.work, task.chunk, progress, job)) await secondRun?.start();
  });
  const { encoder, runs } = recordRuns(deps.media);
  await using opened = await openTemporaryWorkspace(deps, task);
  const directory = await opened.workspace.makeDirectory('chunk');
  const subtitles = { path: `${directory}/subtitles.srt`, fontsDirectory: deps.fontsDirectory };
  const { text } = plan.work.encoding.subtitles ?? {};
  if (text !== undefined) await opened.workspace.writeText(subtitles.path, text);
  const first = await loadFirstResults(deps, { plan, task: chunkTask, planKey: task.planKey });
  const request = { plan, task: chunkTask, directory, rewriter: opened.workspace, subtitles, first };
  const encoding = encodeFromProxy({ ...deps, media: encoder }, request, context).then(async (encoded) => {
    // Not by the encoder that records its runs: the log has the commands that made the file.
    await checkEnds(deps.media, encoded.paths, {
      directory,
      signal,
      stallSeconds: deps.stallSeconds,
      timeLimitSeconds: remainingSeconds(deps.clock, context.deadline),
    });
    return encoded;
  });
  const encoded = await encoding.catch(async (cause: unknown) => {
    // join-chunks shows it to the job's owner.
    if (cause instanceof JobError && !signal.aborted) {
      const failure: ChunkFailure = {
        message: cause.message,
        ...(isSourceGone(cause, plan) && { isSourceGone: true }),
        ...(cause.code === 'INPUT_UNREACHABLE' && cause.retryable && { isTransient: true }),
        runs: [...runs],
      };
      await files.writeText(keys.failureKey, JSON.stringify(failure));
    }
    throw cause;
  });
  const result = { ...encoded.result, runs: [...runs] };
  await storeRun(deps, task, { paths: encoded.paths, result, keys, signal });
}

/** Whether the server of an input by URL no longer has the version that was planned. */
function isSourceGone({ code, retryable }: JobError, { sources }: ChunkPlan): boolean {
  return sources.some((source) => 'validator' in source) && code === 'INPUT_UNREACHABLE' && !retryable;
}

type EncodeRequest = {
  plan: ChunkPlan;
  task: ChunkTask;
  directory: string;
  rewriter: FileRewriter;
  first: FirstResults;
  subtitles: TaskFiles['subtitles'];
};

/** Reads its sources through a proxy, so that the disk holds the encoded files only. */
async function encodeFromProxy(
  deps: ChunkPorts,
  { plan, task, directory, rewriter, subtitles, first }: EncodeRequest,
  { watch, deadline }: Context,
): Promise<EncodedTask> {
  const { job, signal } = watch;
  // A task is complete once its result is stored.
  const report = (percent: number) => watch.report(Math.min(99, percent));
  const { work, sources, overlay } = plan;
  const read = sourcesOfTask(work, task);
  const located = sources.flatMap((source, number) =>
    read.includes(number) ? [[sourceName(number), source] as const] : [],
  );
  const objects = { ...Object.fromEntries(located), ...(overlay && { overlay }) };
  await using proxy = await deps.openRangeProxy(objects, { job, signal });
  const files = {
    sources: sources.map((_, number) => (read.includes(number) ? proxy.urlOf(sourceName(number)) : '')),
    overlay: overlay && proxy.urlOf('overlay'),
    subtitles,
    isRemote: true,
    outputPath: (file: number) => `${directory}/encoded-${file}`,
  };
  const runner = chunkRunner(deps, { directory, signal, deadline, rewriter, proxy });
  return await encodeTask(runner, { work, task, files, first }, report);
}
