import type { StoredObject } from '@media-jobs/video/chunking';
import { downloadLimit, handOverReason } from '@media-jobs/video/decide';
import type { MediaFile } from '@media-jobs/video/encoding';
import { JobError, prefixJobError } from '@media-jobs/video/errors';
import type { Workspace } from '@media-jobs/video/ffmpeg';
import type { InputFile, JobWarning } from '@media-jobs/video/media';
import { isDiskFull } from '@media-jobs/video/media';
import {
  type InputLimits,
  inputFaultWarnings,
  maxSubtitleBytes,
  validateProbe,
  validateTotalDuration,
} from '@media-jobs/video/probe';
import type { Asset } from '@media-jobs/video/recipes';
import { dependOnCaptions, describesOnly, listAssets, type Step } from '@media-jobs/video/recipes';
import type { MediaFiles } from '../../core/jobs/ports.ts';
import { inputUrls } from '../../core/jobs/request-inputs.ts';
import { sourceCopyKey } from '../../core/jobs/work-files.ts';
import type { DownloadedInput, JobPorts, RemoteInput } from '../../core/worker/ports.ts';
import { toInputFile } from '../../core/worker/run-log.ts';
import { type CompletedOutputs, findIntermediate } from '../../core/worker/step-outputs.ts';
import type { WorkerContext } from '../../core/worker/worker-context.ts';
import { openRemoteSource, type RemoteSource } from './remote-source.ts';
import { shortInputError, shortInputWarning } from './short-input.ts';

/** The files that a job reads, fetched and probed. */
export type FetchedInputs = {
  inputs: MediaFile[];
  /** The file name that the host of the first input states. */
  statedName?: string | undefined;
  /** Set if the only input was not downloaded. */
  remoteSource?: RemoteSource | undefined;
  /** For each step, the files that its parameters name. */
  assets: Record<string, MediaFile>[];
  /** All of these files for the job's log. */
  downloaded: readonly InputFile[];
  inputSizeBytes: number;
  /** Whether this worker can score videos by VMAF. */
  canCompare: boolean;
  warnings?: readonly JobWarning[];
};

type SourceFile = {
  url: string;
  /** Of the file in the workspace. */
  name: string;
  path: string;
  kind: Asset['kind'];
  /** The file's name in an error message; undefined for a job's only input. */
  label?: string | undefined;
  /** The file may be left in place. */
  mayStay: boolean;
  /** Set if the file is not behind the URL: it is a work file of the job. */
  stored?: (StoredObject & { sizeBytes: number }) | undefined;
};

type FetchOptions = {
  steps: readonly Step[];
  /** The completed steps of a pipeline: their output takes the place of the inputs. */
  completed?: CompletedOutputs | undefined;
  workspace: Workspace;
  /** Closes the proxy of a source that is left in place. */
  proxies: AsyncDisposableStack;
};

/** The inputs do not fit on the disk of a function: a task fetches them. */
type ForTask = { kind: 'task'; reason: string };

/**
 * Downloads the inputs and the files that parameters name, then probes and validates each. A function leaves a large source
 * in place and reads it by ranges.
 */
export async function fetchInputs(
  deps: JobPorts,
  context: WorkerContext,
  { steps, completed, workspace, proxies }: FetchOptions,
): Promise<FetchedInputs | ForTask> {
  const urls = completed === undefined ? inputUrls(context.job.request) : [''];
  const stored = completed && (await findIntermediate(deps, completed));
  const inputSources = urls.map((url, index): SourceFile => {
    const label = urls.length === 1 ? undefined : `inputs.${index}`;
    const name = completed === undefined ? `input-${index + 1}` : `step-${completed.count}`;
    const mayStay = deps.kind === 'function' && urls.length === 1;
    return { url, name, path: workspace.downloadPath(name), kind: 'media', label, mayStay, stored };
  });
  const from = completed?.count ?? 0;
  const assetSources = steps.map(({ recipe }, step) =>
    (step < from ? [] : listAssets(recipe)).map(({ name: label, url, kind }) => {
      const name = `asset-${step + 1}-${label}`;
      const path = workspace.downloadPath(name);
      return { name: label, source: { url, name, path, kind, label, mayStay: false } };
    }),
  );
  const canCompare = deps.media.canCompare();
  // Awaited after the downloads. Without a handler, a failure before then would end the process.
  canCompare.catch(() => {});
  const sources = [...inputSources, ...assetSources.flat().map(({ source }) => source)];
  const fetched = await downloadAll(deps, context, { sources, steps: steps.length - from });
  if ('kind' in fetched) return fetched;
  const { files: downloaded, located, statedName, shortfalls } = fetched;
  context.report({ stage: 'probing', fraction: 0 });
  const remoteSource = deps.kind === 'function' && located ? await openRemoteSource(deps, context, located) : undefined;
  if (remoteSource !== undefined) proxies.use(remoteSource.proxy);
  const readsCaptions = dependOnCaptions(steps, from);
  // The limits are those of the inputs of a job, not of what its steps make of them.
  const isLimited = completed === undefined && !steps.every(({ recipe }) => describesOnly(recipe));
  const inputs: MediaFile[] = [];
  for (const source of inputSources)
    inputs.push(
      await probeFile(deps, context, {
        ...source,
        ...remoteSource,
        shortfall: shortfalls.get(source),
        readsCaptions,
        isLimited,
      }),
    );
  const assets: Record<string, MediaFile>[] = [];
  for (const stepSources of assetSources) {
    const files: Record<string, MediaFile> = {};
    for (const { name, source } of stepSources)
      files[name] = await probeFile(deps, context, {
        ...source,
        shortfall: shortfalls.get(source),
        isLimited: true,
      });
    assets.push(files);
  }
  const probes = inputs.map(({ probe }) => probe);
  if (isLimited) validateTotalDuration(probes, deps.limits);
  const isDescribed = completed === undefined && !isLimited;
  const inputSizeBytes = downloaded.slice(0, inputs.length).reduce((sum, { bytes }) => sum + bytes, 0);
  return {
    inputs,
    statedName,
    remoteSource,
    assets,
    downloaded,
    inputSizeBytes,
    canCompare: await canCompare,
    warnings: [
      ...[...shortfalls].map(([source, shortfall]) => shortInputWarning(source.label, shortfall)),
      ...(isDescribed ? probes.flatMap((probe) => inputFaultWarnings(probe, deps.limits)) : []),
    ],
  };
}

/** Duration of all inputs together; undefined if all of them are images. */
export function totalMediaSeconds(inputs: readonly MediaFile[]): number | undefined {
  const seconds = inputs.flatMap(({ probe }) => probe.durationSeconds ?? []);
  return seconds.length === 0 ? undefined : seconds.reduce((sum, each) => sum + each, 0);
}

type Downloads = {
  files: InputFile[];
  located: RemoteInput | undefined;
  statedName: string | undefined;
  /** Of the files whose hosts sent less than they stated. */
  shortfalls: ReadonlyMap<SourceFile, string>;
};

/** One file at a time, since each is fetched in parallel ranges. The size limits hold for all files together. */
async function downloadAll(
  deps: JobPorts,
  { job, report, signal }: WorkerContext,
  { sources, steps }: { sources: readonly SourceFile[]; steps: number },
): Promise<Downloads | ForTask> {
  const { files: mediaFiles, limits, maxDownloadBytes } = deps;
  report({ stage: 'downloading', fraction: 0 });
  const files: InputFile[] = [];
  const diskBytes = downloadLimit(deps, steps);
  // What does not fit on the disk of a function is left to a task, if the stage has some.
  const hasTasks = deps.kind === 'function' && deps.fargate !== undefined;
  const budgetBytes = hasTasks ? limits.sizeBytes : Math.min(limits.sizeBytes, diskBytes);
  let located: RemoteInput | undefined;
  let statedName: string | undefined;
  let remainingBytes = budgetBytes;
  const shortfalls = new Map<SourceFile, string>();
  for (const [index, source] of sources.entries()) {
    const { url, name, path, kind, label, mayStay, stored } = source;
    const forTask = new AbortController();
    const onProgress = ({ bytes, totalBytes }: { bytes: number; totalBytes: number | undefined }) => {
      const isTooLarge = budgetBytes - remainingBytes + (totalBytes ?? bytes) > diskBytes;
      if (hasTasks && isTooLarge && (totalBytes ?? bytes) <= maxBytes) forTask.abort();
      if (!totalBytes) return;
      report({ stage: 'downloading', fraction: (index + bytes / totalBytes) / sources.length });
    };
    const asRemote =
      mayStay && deps.kind === 'function'
        ? {
            fromBytes: Math.min(deps.chunking.rangesFromBytes, maxDownloadBytes),
            input: index,
            copyKey: sourceCopyKey(job.jobId),
          }
        : undefined;
    const leftBytes = asRemote === undefined ? remainingBytes : limits.sizeBytes;
    const maxBytes = kind === 'subtitles' ? Math.min(leftBytes, maxSubtitleBytes) : leftBytes;
    const signals = AbortSignal.any([signal, forTask.signal]);
    const request = { url, ownerId: job.ownerId, path, maxBytes, signal: signals, onProgress, asRemote };
    const fetchFile = () =>
      stored === undefined
        ? deps.sources.download(request)
        : fetchWorkFile({ files: mediaFiles }, { ...request, stored, mayStay });
    const file = await labelErrors(label, () =>
      fetchFile().catch((cause: unknown) => {
        if (forTask.signal.aborted) return undefined;
        throw maxBytes < limits.sizeBytes && maxBytes === remainingBytes
          ? totalSizeError(cause, { budgetBytes, limits })
          : cause;
      }),
    );
    if (file === undefined)
      return { kind: 'task', reason: handOverReason("its inputs do not fit on a function's disk") };
    files.push(toInputFile(name, file));
    if (index === 0) ({ statedName } = file);
    if (file.shortfall !== undefined) shortfalls.set(source, file.shortfall);
    if ('location' in file) located = file;
    else remainingBytes -= file.bytes;
  }
  return { files, located, statedName, shortfalls };
}

/** A work file of the job stays in place wherever it may, whatever its size. */
async function fetchWorkFile(
  { files }: { files: MediaFiles },
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

async function probeFile(
  { media, limits }: JobPorts,
  { signal }: WorkerContext,
  {
    path,
    kind,
    label,
    proxy,
    remote,
    readsCaptions,
    shortfall,
    isLimited,
  }: SourceFile &
    Partial<RemoteSource> & { readsCaptions?: boolean; shortfall: string | undefined; isLimited: boolean },
): Promise<MediaFile> {
  return labelErrors(label, async () => {
    const role = kind === 'media' ? 'input' : 'subtitles';
    const options = { signal: proxy?.signal ?? signal, role, remote, readsCaptions } as const;
    const probe = await media.probe(path, options).catch((cause: unknown) => {
      throw shortfall === undefined ? cause : shortInputError(cause, shortfall);
    });
    if (kind === 'media' && isLimited) validateProbe(probe, limits);
    return { path, probe };
  });
}

/** Prefixes a job error with the file's label, if it has one. */
async function labelErrors<Result>(label: string | undefined, action: () => Promise<Result>): Promise<Result> {
  try {
    return await action();
  } catch (cause) {
    throw label === undefined ? cause : prefixJobError(cause, label);
  }
}
