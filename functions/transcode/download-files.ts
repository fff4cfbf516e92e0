import type { StoredObject } from '@media-jobs/video/chunking';
import { delegationReason, downloadLimit } from '@media-jobs/video/decide';
import { JobError, prefixJobError } from '@media-jobs/video/errors';
import { type InputFile, isDiskFull } from '@media-jobs/video/media';
import { type InputLimits, maxSubtitleBytes } from '@media-jobs/video/probe';
import { type Asset, addStepToError, type Step } from '@media-jobs/video/recipes';
import type { MediaFiles } from '../../core/jobs/ports.ts';
import { sourceCopyKey } from '../../core/jobs/stored-file.ts';
import type { DownloadedInput, FunctionPorts, JobPorts, RemoteInput, RemoteOptions } from '../../core/worker/ports.ts';
import { toInputFile } from '../../core/worker/run-log.ts';
import { hasTasks, type WorkerContext } from '../../core/worker/worker-context.ts';

export type SourceFile = {
  url: string;
  /** Of the file in the workspace. */
  name: string;
  path: string;
  kind: Asset['kind'];
  /** The file's name in an error message; undefined for a job's only input. */
  label?: string | undefined;
  /** The file may be left in place. */
  mayStay: boolean;
  /** Several workers read it: one that may be left at a server is copied to the bucket. */
  isShared?: boolean | undefined;
  /** The number of the step whose output it is, or whose parameter names it. */
  step?: number | undefined;
  /** Set if the file is not behind the URL: it is a work file of the job. */
  stored?: (StoredObject & { sizeBytes: number }) | undefined;
};

/** The inputs do not fit on the disk of a function: a task fetches them. */
export type ForTask = { kind: 'task'; reason: string };

/** The files on this disk, in the order of their sources, and the one that stays in place. */
export type Downloads = {
  files: InputFile[];
  located: RemoteInput | undefined;
  statedName: string | undefined;
  /** Of the files whose hosts sent less than they stated. */
  shortfalls: Map<SourceFile, string>;
  /** Of optional outputs. */
  failures: Map<SourceFile, JobError>;
};

/** Downloads files one at a time, since each is fetched in parallel ranges. The size limits hold for all together. */
export async function downloadFiles(
  deps: JobPorts,
  context: WorkerContext,
  { sources, steps }: { sources: readonly SourceFile[]; steps: readonly Step[] },
): Promise<Downloads | ForTask> {
  context.report({ stage: 'downloading', fraction: 0 });
  const { limits } = deps;
  const diskBytes = downloadLimit(deps, steps.length);
  // What does not fit on the disk of a function is left to a task, if the stage has some.
  const isForTasks = hasTasks(deps);
  const budgetBytes = isForTasks ? limits.sizeBytes : Math.min(limits.sizeBytes, diskBytes);
  const none = { located: undefined, statedName: undefined };
  const downloads: Downloads = { files: [], ...none, shortfalls: new Map(), failures: new Map() };
  let remainingBytes = budgetBytes;
  for (const [index, source] of sources.entries()) {
    const taskFrom = isForTasks ? diskBytes - (budgetBytes - remainingBytes) : Number.POSITIVE_INFINITY;
    const room = { budgetBytes, remainingBytes, taskFrom };
    const onFraction = (part: number) =>
      context.report({ stage: 'downloading', fraction: (index + part) / sources.length });
    const { label, step } = source;
    const file = await forStep(steps, label === undefined ? undefined : step, () =>
      labelErrors(label, () => downloadFile(deps, context, { source, index, room, onFraction })),
    );
    if (file instanceof JobError) {
      downloads.failures.set(source, file);
      continue;
    }
    if (file === undefined)
      return { kind: 'task', reason: delegationReason("its inputs do not fit on a function's disk") };
    downloads.files.push(toInputFile(source.name, file));
    if (index === 0) downloads.statedName = file.statedName;
    if (file.shortfall !== undefined) downloads.shortfalls.set(source, file.shortfall);
    if ('location' in file) downloads.located = file;
    else remainingBytes -= file.bytes;
  }
  return downloads;
}

/** The bytes that the files of a job may have together, those that are left, and from which size on a task fetches a file. */
type Room = { budgetBytes: number; remainingBytes: number; taskFrom: number };

type Download = { source: SourceFile; index: number; room: Room; onFraction: (fraction: number) => void };

/** Downloads one file. Undefined if a task has to fetch it. */
async function downloadFile(
  deps: JobPorts,
  { job, signal }: WorkerContext,
  { source, index, room, onFraction }: Download,
): Promise<DownloadedInput | RemoteInput | undefined> {
  const { limits } = deps;
  const { url, path, kind, mayStay, isShared, stored } = source;
  const { budgetBytes, remainingBytes, taskFrom } = room;
  const asRemote = mayStay && deps.kind === 'function' ? remoteOptions(deps, job, { index, isShared }) : undefined;
  const leftBytes = asRemote === undefined ? remainingBytes : limits.sizeBytes;
  const maxBytes = kind === 'subtitles' ? Math.min(leftBytes, maxSubtitleBytes) : leftBytes;
  const forTask = new AbortController();
  const onProgress = ({ bytes, totalBytes }: { bytes: number; totalBytes: number | undefined }) => {
    const size = totalBytes ?? bytes;
    if (size > taskFrom && size <= maxBytes) forTask.abort();
    if (totalBytes) onFraction(bytes / totalBytes);
  };
  const signals = AbortSignal.any([signal, forTask.signal]);
  const request = { url, ownerId: job.ownerId, path, maxBytes, signal: signals, onProgress, asRemote };
  try {
    if (stored !== undefined) return await fetchWorkFile(deps.files, { ...request, stored, mayStay });
    return await deps.sources.download(request);
  } catch (cause) {
    if (forTask.signal.aborted) return undefined;
    throw maxBytes < limits.sizeBytes && maxBytes === remainingBytes
      ? totalSizeError(cause, { budgetBytes, limits })
      : cause;
  }
}

/** From which size on a source is left in place, and where its copy is if its server serves no ranges. */
function remoteOptions(
  { chunking, maxDownloadBytes }: FunctionPorts,
  { jobId }: { jobId: string },
  { index: input, isShared }: { index: number; isShared: boolean | undefined },
): RemoteOptions {
  const fromBytes = Math.min(chunking.rangesFromBytes, maxDownloadBytes);
  return { fromBytes, input, copyKey: sourceCopyKey(jobId), copiesUpToBytes: isShared ? maxDownloadBytes : 0 };
}

/** Fetches a work file of the job, which stays in place wherever it may, whatever its size. */
async function fetchWorkFile(
  files: MediaFiles,
  {
    stored: { key, etag, sizeBytes },
    mayStay,
    path,
    signal,
  }: { stored: StoredObject & { sizeBytes: number }; mayStay: boolean; path: string; signal: AbortSignal },
): Promise<DownloadedInput | RemoteInput> {
  if (mayStay) return { bytes: sizeBytes, location: { key, etag } };
  const file = await files.download({ key, path, signal });
  if (file === undefined) throw new Error(`${key} was removed while it was read`);
  return file;
}

/**
 * Replaces the `INPUT_TOO_LARGE` of one file: it exceeds only what the files before it, or the disk, left of the limit. A full
 * disk keeps its message.
 */
function totalSizeError(
  cause: unknown,
  { budgetBytes, limits }: { budgetBytes: number; limits: InputLimits },
): unknown {
  if (isDiskFull(cause)) return cause;
  if (!(cause instanceof JobError && cause.code === 'INPUT_TOO_LARGE')) return cause;
  const together = `With this file, the files of the job have more than ${budgetBytes} bytes together`;
  const message =
    budgetBytes === limits.sizeBytes
      ? together
      : `${together}, which is all that a worker downloads. Only the source of a job with one input may be larger`;
  return new JobError(cause.code, message, { cause });
}

/** Runs work for a step. Its errors name an output; the error of an optional one is returned. */
export async function forStep<Result>(
  steps: readonly Step[],
  index: number | undefined,
  work: () => Promise<Result>,
): Promise<Result | JobError> {
  try {
    return await work();
  } catch (cause) {
    const { output } = (index === undefined ? undefined : steps[index]) ?? {};
    if (index === undefined || output === undefined) throw cause;
    const error = addStepToError(cause, steps, index);
    if (output.isOptional && error instanceof JobError) return error;
    throw error;
  }
}

export async function labelErrors<Result>(label: string | undefined, action: () => Promise<Result>): Promise<Result> {
  try {
    return await action();
  } catch (cause) {
    throw label === undefined ? cause : prefixJobError(cause, label);
  }
}
