import type { MediaFile } from '@media-jobs/video/encoding';
import { JobError } from '@media-jobs/video/errors';
import type { JobWarning } from '@media-jobs/video/media';
import { inputFaultWarnings, validateProbe, validateTotalDuration } from '@media-jobs/video/probe';
import { dependOnCaptions, describesOnly, listAssets, recipesOf, type Step } from '@media-jobs/video/recipes';
import { numberEnds } from '../../core/jobs/job-result.ts';
import { inputUrls } from '../../core/jobs/request-inputs.ts';
import { findIntermediate } from '../../core/worker/outputs.ts';
import type { JobPorts } from '../../core/worker/ports.ts';
import type { WorkerContext } from '../../core/worker/worker-context.ts';
import {
  type Downloads,
  downloadFiles,
  type ForTask,
  forStep,
  labelErrors,
  type SourceFile,
} from './download-files.ts';
import type { FetchedInputs, RemainingSteps, RemoteSource } from './graph-state.ts';
import { openRemoteSource } from './remote-source.ts';

type FetchOptions = Omit<RemainingSteps, 'fetched'> & {
  /** Closes the proxy of a source that is left in place. */
  proxies: AsyncDisposableStack;
};

/**
 * Downloads the media that the steps read which are left, and the files that their parameters name, then probes and validates
 * each. A function leaves a large source in place and reads it by ranges.
 */
export async function fetchInputs(
  deps: JobPorts,
  context: WorkerContext,
  options: FetchOptions,
): Promise<FetchedInputs | ForTask> {
  const { steps, proxies } = options;
  const canCompare = deps.media.canCompare();
  // Awaited after the downloads. Without a handler, a failure before then would end the process.
  canCompare.catch(() => {});
  const open = openSteps(options);
  const mediaSources = await listMedia(deps, context, { ...options, open });
  const assetSources = listAssetFiles({ ...options, open });
  const downloads = await downloadFiles(deps, context, { sources: [...mediaSources, ...assetSources], steps });
  if ('kind' in downloads) return downloads;
  const { files: downloaded, located, statedName, shortfalls } = downloads;
  context.report({ stage: 'probing', fraction: 0 });
  const remoteSource = deps.kind === 'function' && located ? await openRemoteSource(deps, context, located) : undefined;
  if (remoteSource !== undefined) proxies.use(remoteSource.proxy);
  const probing = { ...options, downloads, remoteSource };
  const { inputs, made, warnings } = await probeMedia(deps, context, { ...probing, sources: mediaSources });
  const assets = await probeAssets(deps, context, { ...probing, sources: assetSources });
  return {
    inputs,
    made,
    statedName,
    remoteSource,
    assets,
    downloaded,
    inputSizeBytes: downloaded.slice(0, Math.max(1, inputs.length)).reduce((sum, { bytes }) => sum + bytes, 0),
    canCompare: await canCompare,
    warnings: [...[...shortfalls].map(([{ label }, shortfall]) => shortInputWarning(label, shortfall)), ...warnings],
  };
}

/** The warning for an input whose host twice ended it before the length that it states, and that is media all the same. */
function shortInputWarning(label: string | undefined, shortfall: string): JobWarning {
  const file = label === undefined ? '' : `${label}: `;
  return { code: 'INPUT_DAMAGED', message: `${file}${shortfall}; the job was made of what arrived` };
}

type OpenStep = { step: Step; index: number };

/** The steps that are left, and have not ended without an output. */
function openSteps({ steps, completed }: FetchOptions): OpenStep[] {
  const ended = numberEnds(steps, completed?.result.ended);
  const from = completed?.count ?? 0;
  return steps.map((step, index) => ({ step, index })).filter(({ index }) => index >= from && !ended.has(index));
}

type ToList = FetchOptions & { open: readonly OpenStep[] };

/** The media that open steps read: the inputs of the request or a copy of its source, then outputs of completed steps. */
async function listMedia(
  deps: JobPorts,
  { job }: WorkerContext,
  { open, completed, workspace }: ToList,
): Promise<SourceFile[]> {
  const readers = open.filter(({ step }) => step.from === undefined);
  const urls = readers.length > 0 ? inputUrls(job.request) : [];
  const mayBeLeft = deps.kind === 'function' && urls.length < 2;
  const fileOf = (name: string) => ({ name, path: workspace.downloadPath(name), kind: 'media' as const });
  const sources = urls.map((url, index): SourceFile => {
    const label = urls.length === 1 ? undefined : `inputs.${index}`;
    const [stored, isShared] = [completed?.source, readers.length > 1];
    return { ...fileOf(`input-${index + 1}`), url, label, mayStay: mayBeLeft, stored, isShared };
  });
  const before = completed?.count ?? 0;
  const read = new Set(open.flatMap(({ step: { from } }) => (from !== undefined && from < before ? [from] : [])));
  for (const step of read) {
    const stored = await findIntermediate(deps, completed?.intermediates[step]?.key ?? '');
    const mayStay = mayBeLeft && sources.length === 0;
    sources.push({ ...fileOf(`step-${step + 1}`), url: '', mayStay, stored, step });
  }
  return sources;
}

function listAssetFiles({ open, workspace }: ToList): SourceFile[] {
  return open.flatMap(({ step: reader, index: step }) =>
    recipesOf(reader)
      .flatMap(listAssets)
      .map(({ name: label, url, kind }) => {
        const name = `asset-${step + 1}-${label}`;
        return { url, name, path: workspace.downloadPath(name), kind, label, mayStay: false, step };
      }),
  );
}

type FilesToProbe = FetchOptions & {
  sources: readonly SourceFile[];
  remoteSource: RemoteSource | undefined;
  downloads: Downloads;
};

/** Probes the media that steps read. Validates the inputs of the job, not what its steps have made of them. */
async function probeMedia(
  deps: JobPorts,
  context: WorkerContext,
  { steps, completed, sources, remoteSource, downloads }: FilesToProbe,
): Promise<{ inputs: MediaFile[]; made: Map<number, MediaFile>; warnings: JobWarning[] }> {
  const { limits } = deps;
  const readsCaptions = dependOnCaptions(steps, completed?.count ?? 0);
  const isDescribed = steps.every(({ recipe }) => describesOnly(recipe));
  const inputs: MediaFile[] = [];
  const made = new Map<number, MediaFile>();
  for (const [index, source] of sources.entries()) {
    const { step } = source;
    const isLimited = step === undefined && !isDescribed;
    const remote = index === 0 ? remoteSource : undefined;
    const shortfall = downloads.shortfalls.get(source);
    const options = { source, remoteSource: remote, readsCaptions, shortfall, isLimited };
    const file = await probeFile(deps, context, options);
    if (step === undefined) inputs.push(file);
    else made.set(step, file);
  }
  const probes = inputs.map(({ probe }) => probe);
  if (!isDescribed) validateTotalDuration(probes, limits);
  return { inputs, made, warnings: isDescribed ? probes.flatMap((probe) => inputFaultWarnings(probe, limits)) : [] };
}

/** Probes the files that parameters name. Of an optional output, the error is its assets. */
async function probeAssets(
  deps: JobPorts,
  context: WorkerContext,
  { steps, sources, downloads: { shortfalls, failures } }: FilesToProbe,
): Promise<FetchedInputs['assets']> {
  const assets: FetchedInputs['assets'] = steps.map(() => ({}));
  for (const source of sources) {
    const { step = 0, label = '' } = source;
    const files = assets[step];
    if (files === undefined || files instanceof JobError) continue;
    const options = { source, shortfall: shortfalls.get(source), isLimited: true };
    const file = failures.get(source) ?? (await forStep(steps, step, () => probeFile(deps, context, options)));
    if (file instanceof JobError) assets[step] = file;
    else files[label] = file;
  }
  return assets;
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
      if (shortfall === undefined || !(cause instanceof JobError)) throw cause;
      // The file is no media: its host, which sent less than it stated, is the reason.
      throw new JobError('INPUT_UNREACHABLE', `${shortfall}. ${cause.message}`, { cause });
    });
    if (kind === 'media' && isLimited) validateProbe(probe, limits);
    return { path, probe };
  });
}
