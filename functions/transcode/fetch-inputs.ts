import type { MediaFile } from '@media-jobs/video/encoding';
import type { Workspace } from '@media-jobs/video/ffmpeg';
import type { JobWarning } from '@media-jobs/video/media';
import { inputFaultWarnings, validateProbe, validateTotalDuration } from '@media-jobs/video/probe';
import { dependOnCaptions, describesOnly, listAssets, type Step } from '@media-jobs/video/recipes';
import { inputUrls } from '../../core/jobs/request-inputs.ts';
import type { JobPorts } from '../../core/worker/ports.ts';
import { type CompletedOutputs, findIntermediate } from '../../core/worker/step-outputs.ts';
import type { WorkerContext } from '../../core/worker/worker-context.ts';
import { type Downloads, downloadFiles, type ForTask, labelErrors, type SourceFile } from './download-files.ts';
import type { FetchedInputs, RemoteSource } from './pipeline-state.ts';
import { openRemoteSource } from './remote-source.ts';
import { shortInputError, shortInputWarning } from './short-input.ts';

type FetchOptions = {
  steps: readonly Step[];
  /** The completed steps of a pipeline: their output takes the place of the inputs. */
  completed?: CompletedOutputs | undefined;
  workspace: Workspace;
  /** Closes the proxy of a source that is left in place. */
  proxies: AsyncDisposableStack;
};

/**
 * Downloads the inputs and the files that parameters name, then probes and validates each. A function leaves a large source
 * in place and reads it by ranges.
 */
export async function fetchInputs(
  deps: JobPorts,
  context: WorkerContext,
  options: FetchOptions,
): Promise<FetchedInputs | ForTask> {
  const { steps, completed, proxies } = options;
  const canCompare = deps.media.canCompare();
  // Awaited after the downloads. Without a handler, a failure before then would end the process.
  canCompare.catch(() => {});
  const inputSources = await listInputs(deps, context, options);
  const assetSources = listAssetFiles(options);
  const sources = [...inputSources, ...assetSources.flat()];
  const downloads = await downloadFiles(deps, context, { sources, steps: steps.length - (completed?.count ?? 0) });
  if ('kind' in downloads) return downloads;
  const { files: downloaded, located, statedName, shortfalls } = downloads;
  context.report({ stage: 'probing', fraction: 0 });
  const remoteSource = deps.kind === 'function' && located ? await openRemoteSource(deps, context, located) : undefined;
  if (remoteSource !== undefined) proxies.use(remoteSource.proxy);
  const probing = { ...options, shortfalls };
  const { inputs, warnings } = await probeInputs(deps, context, { ...probing, sources: inputSources, remoteSource });
  const assets: Record<string, MediaFile>[] = [];
  for (const ofStep of assetSources) {
    const files: Record<string, MediaFile> = {};
    for (const source of ofStep)
      files[source.label ?? ''] = await probeFile(deps, context, {
        source,
        shortfall: shortfalls.get(source),
        isLimited: true,
      });
    assets.push(files);
  }
  return {
    inputs,
    statedName,
    remoteSource,
    assets,
    downloaded,
    inputSizeBytes: downloaded.slice(0, inputs.length).reduce((sum, { bytes }) => sum + bytes, 0),
    canCompare: await canCompare,
    warnings: [...[...shortfalls].map(([{ label }, shortfall]) => shortInputWarning(label, shortfall)), ...warnings],
  };
}

/** The inputs of the request, or the output of the completed steps in their place. */
async function listInputs(
  deps: JobPorts,
  { job }: WorkerContext,
  { completed, workspace }: FetchOptions,
): Promise<SourceFile[]> {
  const urls = completed === undefined ? inputUrls(job.request) : [''];
  const stored = completed && (await findIntermediate(deps, completed));
  const mayStay = deps.kind === 'function' && urls.length === 1;
  return urls.map((url, index) => {
    const label = urls.length === 1 ? undefined : `inputs.${index}`;
    const name = completed === undefined ? `input-${index + 1}` : `step-${completed.count}`;
    return { url, name, path: workspace.downloadPath(name), kind: 'media', label, mayStay, stored };
  });
}

/** For each step that is left, the files that its parameters name. */
function listAssetFiles({ steps, completed, workspace }: FetchOptions): SourceFile[][] {
  return steps.map(({ recipe }, step) =>
    (step < (completed?.count ?? 0) ? [] : listAssets(recipe)).map(({ name: label, url, kind }) => {
      const name = `asset-${step + 1}-${label}`;
      return { url, name, path: workspace.downloadPath(name), kind, label, mayStay: false };
    }),
  );
}

type InputsToProbe = FetchOptions & {
  sources: readonly SourceFile[];
  remoteSource: RemoteSource | undefined;
  shortfalls: Downloads['shortfalls'];
};

/** The limits are those of the inputs of a job, not of what its steps make of them. */
async function probeInputs(
  deps: JobPorts,
  context: WorkerContext,
  { steps, completed, sources, remoteSource, shortfalls }: InputsToProbe,
): Promise<{ inputs: MediaFile[]; warnings: JobWarning[] }> {
  const { limits } = deps;
  const readsCaptions = dependOnCaptions(steps, completed?.count ?? 0);
  const isDescribed = completed === undefined && steps.every(({ recipe }) => describesOnly(recipe));
  const isLimited = completed === undefined && !isDescribed;
  const inputs: MediaFile[] = [];
  for (const source of sources) {
    const shortfall = shortfalls.get(source);
    inputs.push(await probeFile(deps, context, { source, remoteSource, readsCaptions, shortfall, isLimited }));
  }
  const probes = inputs.map(({ probe }) => probe);
  if (isLimited) validateTotalDuration(probes, limits);
  return { inputs, warnings: isDescribed ? probes.flatMap((probe) => inputFaultWarnings(probe, limits)) : [] };
}

type FileToProbe = {
  source: SourceFile;
  remoteSource?: RemoteSource | undefined;
  readsCaptions?: boolean;
  shortfall: string | undefined;
  isLimited: boolean;
};

async function probeFile(
  { media, limits }: JobPorts,
  { signal }: WorkerContext,
  { source: { kind, label, ...source }, remoteSource, readsCaptions, shortfall, isLimited }: FileToProbe,
): Promise<MediaFile> {
  const { path, remote, proxy } = remoteSource ?? { path: source.path };
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
