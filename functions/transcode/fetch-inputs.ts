import type { MediaFile } from '../../core/encoding/plan.ts';
import { JobError, prefixJobError } from '../../core/errors.ts';
import type { InputFile } from '../../core/jobs/attempt-log.ts';
import { inputUrls } from '../../core/jobs/request-inputs.ts';
import type { Workspace } from '../../core/media/ffmpeg/ports.ts';
import {
  type InputLimits,
  maxSubtitleBytes,
  validateProbe,
  validateTotalDuration,
} from '../../core/media/probe/input-limits.ts';
import type { Step } from '../../core/recipes/pipeline/steps.ts';
import type { Asset } from '../../core/recipes/recipe.ts';
import { listAssets } from '../../core/recipes/registry.ts';
import type { EncodeJobDeps, WorkerContext } from '../worker/worker-deps.ts';

/** The files that a job reads, downloaded and probed. */
export type FetchedInputs = {
  inputs: MediaFile[];
  /** For each step, the files that its parameters name. */
  assets: Record<string, MediaFile>[];
  /** All of these files for the job's log. */
  downloaded: readonly InputFile[];
  inputSizeBytes: number;
  /** Whether this worker can score videos by VMAF. */
  canCompare: boolean;
};

type SourceFile = {
  url: string;
  /** Of the file in the workspace. */
  name: string;
  path: string;
  kind: Asset['kind'];
  /** The file's name in an error message; undefined for a job's only input. */
  label?: string;
};

/** Downloads the inputs and the files that parameters name, then probes and validates each. */
export async function fetchInputs(
  deps: EncodeJobDeps,
  context: WorkerContext,
  { steps, workspace }: { steps: readonly Step[]; workspace: Workspace },
): Promise<FetchedInputs> {
  const urls = inputUrls(context.job.request);
  const inputSources = urls.map((url, index): SourceFile => {
    const label = urls.length === 1 ? undefined : `inputs.${index}`;
    const name = `input-${index + 1}`;
    return { url, name, path: workspace.downloadPath(name), kind: 'media', label };
  });
  const assetSources = steps.map(({ recipe }, step) =>
    listAssets(recipe).map(({ name: label, url, kind }) => {
      const name = `asset-${step + 1}-${label}`;
      return { name: label, source: { url, name, path: workspace.downloadPath(name), kind, label } };
    }),
  );
  const canCompare = deps.encoder.canCompare();
  // Awaited after the downloads. Without a handler, a failure before then would end the process.
  canCompare.catch(() => {});
  const sources = [...inputSources, ...assetSources.flat().map(({ source }) => source)];
  const downloaded = await downloadAll(deps, context, sources);
  context.report({ stage: 'probing', fraction: 0 });
  const inputs: MediaFile[] = [];
  for (const source of inputSources) inputs.push(await probeFile(deps, context, source));
  const assets: Record<string, MediaFile>[] = [];
  for (const stepSources of assetSources) {
    const files: Record<string, MediaFile> = {};
    for (const { name, source } of stepSources) files[name] = await probeFile(deps, context, source);
    assets.push(files);
  }
  validateTotalDuration(
    inputs.map(({ probe }) => probe),
    deps.limits,
  );
  const inputSizeBytes = downloaded.slice(0, inputs.length).reduce((sum, { bytes }) => sum + bytes, 0);
  return { inputs, assets, downloaded, inputSizeBytes, canCompare: await canCompare };
}

/** Duration of all inputs together; undefined if all of them are images. */
export function totalMediaSeconds(inputs: readonly MediaFile[]): number | undefined {
  const seconds = inputs.flatMap(({ probe }) => probe.durationSeconds ?? []);
  return seconds.length === 0 ? undefined : seconds.reduce((sum, each) => sum + each, 0);
}

/** One file at a time, since each is fetched in parallel ranges. The size limit holds for all files together. */
async function downloadAll(
  { download, limits }: EncodeJobDeps,
  { job, report, signal }: WorkerContext,
  sources: readonly SourceFile[],
): Promise<InputFile[]> {
  report({ stage: 'downloading', fraction: 0 });
  const files: InputFile[] = [];
  let remainingBytes = limits.sizeBytes;
  for (const [index, { url, name, path, kind, label }] of sources.entries()) {
    const onProgress = ({ bytes, totalBytes }: { bytes: number; totalBytes: number | undefined }) => {
      if (!totalBytes) return;
      report({ stage: 'downloading', fraction: (index + bytes / totalBytes) / sources.length });
    };
    const maxBytes = kind === 'subtitles' ? Math.min(remainingBytes, maxSubtitleBytes) : remainingBytes;
    const request = { url, ownerId: job.ownerId, path, maxBytes, signal, onProgress };
    const { bytes, sha256 } = await labelErrors(label, () =>
      download(request).catch((cause: unknown) => {
        throw remainingBytes < limits.sizeBytes && maxBytes === remainingBytes
          ? totalSizeError(cause, limits)
          : cause;
      }),
    );
    files.push({ name, bytes, sha256 });
    remainingBytes -= bytes;
  }
  return files;
}

/** Replaces the `INPUT_TOO_LARGE` of one file: it exceeds only what the files before it left of the limit. */
function totalSizeError(cause: unknown, { sizeBytes }: InputLimits): unknown {
  if (!(cause instanceof JobError && cause.code === 'INPUT_TOO_LARGE')) return cause;
  const message = `With this file, the files of the job have more than ${sizeBytes} bytes together`;
  return new JobError(cause.code, message, { cause });
}

async function probeFile(
  { encoder, limits }: EncodeJobDeps,
  { signal }: WorkerContext,
  { path, kind, label }: SourceFile,
): Promise<MediaFile> {
  return labelErrors(label, async () => {
    const probe = await encoder.probe(path, { signal, role: kind === 'media' ? 'input' : 'subtitles' });
    if (kind === 'media') validateProbe(probe, limits);
    return { path, probe };
  });
}

/** Prefixes a job error with the file's label, if it has one. */
async function labelErrors<Result>(
  label: string | undefined,
  action: () => Promise<Result>,
): Promise<Result> {
  try {
    return await action();
  } catch (cause) {
    throw label === undefined ? cause : prefixJobError(cause, label);
  }
}
