import type { MediaFile } from '../../core/encoding/plan.ts';
import { JobError, prefixJobError } from '../../core/errors.ts';
import { inputUrls } from '../../core/jobs/request-inputs.ts';
import type { Workspace } from '../../core/media/ffmpeg/ports.ts';
import {
  maxSubtitleBytes,
  validateProbe,
  validateTotalDuration,
} from '../../core/media/probe/input-limits.ts';
import type { Step } from '../../core/recipes/pipeline/steps.ts';
import type { Asset } from '../../core/recipes/recipe.ts';
import { listAssets } from '../../core/recipes/registry.ts';
import type { WorkerContext, WorkerDeps } from './process-job.ts';

/** All that a job reads, on this machine's disk and measured. */
export type FetchedInputs = {
  inputs: MediaFile[];
  /** For each step the files that its parameters name. */
  assets: Record<string, MediaFile>[];
  inputSizeBytes: number;
  /** What the encoder was built with. */
  filters: ReadonlySet<string>;
};

type Wanted = {
  url: string;
  path: string;
  kind: Asset['kind'];
  /** How a refusal names the file where there are several; nothing for an only input. */
  called?: string;
};

/** Downloads the inputs and the files that parameters name, and judges each. */
export async function fetchInputs(
  ports: WorkerDeps,
  context: WorkerContext,
  { steps, workspace }: { steps: readonly Step[]; workspace: Workspace },
): Promise<FetchedInputs> {
  const urls = inputUrls(context.job.request);
  const inputs = urls.map((url, index): Wanted => {
    const called = urls.length === 1 ? {} : { called: `inputs.${index}` };
    return { url, path: workspace.downloadPath(`input-${index + 1}`), kind: 'media', ...called };
  });
  const assets = steps.map(({ recipe }, step) =>
    listAssets(recipe).map(({ name, url, kind }) => ({
      name,
      wanted: { url, path: workspace.downloadPath(`asset-${step + 1}-${name}`), kind, called: name },
    })),
  );
  const wanted = [...inputs, ...assets.flat().map((asset) => asset.wanted)];
  const filters = ports.encoder.filters();
  // Awaited below; a failure while the downloads still run would otherwise end the process.
  filters.catch(() => {});
  const sizes = await downloadAll(ports, context, wanted);
  context.lease.report({ stage: 'probing', fraction: 0 });
  const found = new Map<Wanted, MediaFile>();
  for (const file of wanted) found.set(file, await judged(ports, context, file));
  const fileOf = (file: Wanted) => found.get(file) as MediaFile;
  validateTotalDuration(
    inputs.map((file) => fileOf(file).probe),
    ports.limits,
  );
  return {
    filters: await filters,
    inputs: inputs.map(fileOf),
    assets: assets.map((ofStep) =>
      Object.fromEntries(ofStep.map(({ name, wanted: file }) => [name, fileOf(file)])),
    ),
    inputSizeBytes: sizes.slice(0, inputs.length).reduce((sum, bytes) => sum + bytes, 0),
  };
}

/** One after the other, since each is fetched in parallel ranges already; the limit of size holds for all together. */
async function downloadAll(
  { download, limits }: WorkerDeps,
  { job, lease, signal }: WorkerContext,
  wanted: readonly Wanted[],
): Promise<number[]> {
  lease.report({ stage: 'downloading', fraction: 0 });
  const sizes: number[] = [];
  let left = limits.sizeBytes;
  for (const [index, { url, path, kind, called }] of wanted.entries()) {
    const onProgress = ({ bytes, totalBytes }: { bytes: number; totalBytes: number | undefined }) => {
      if (!totalBytes) return;
      lease.report({ stage: 'downloading', fraction: (index + bytes / totalBytes) / wanted.length });
    };
    const maxBytes = kind === 'subtitles' ? Math.min(left, maxSubtitleBytes) : left;
    const request = { url, ownerId: job.ownerId, path, maxBytes, signal, onProgress };
    const { bytes } = await naming(called, () =>
      download(request).catch((cause: unknown) => {
        throw left < limits.sizeBytes && maxBytes === left ? together(cause, limits) : cause;
      }),
    );
    sizes.push(bytes);
    left -= bytes;
  }
  return sizes;
}

/** Says that it is not this file alone that is too large. */
function together(cause: unknown, { sizeBytes }: WorkerDeps['limits']): unknown {
  if (!(cause instanceof JobError && cause.code === 'INPUT_TOO_LARGE')) return cause;
  const message = `All files of a job together may have ${sizeBytes} bytes, and with this one they have more`;
  return new JobError(cause.code, message, { cause });
}

async function judged(
  { encoder, limits }: WorkerDeps,
  { signal }: WorkerContext,
  { path, kind, called }: Wanted,
): Promise<MediaFile> {
  return naming(called, async () => {
    const probe = await encoder.probe(path, { signal, role: kind === 'media' ? 'input' : 'subtitles' });
    if (kind === 'media') validateProbe(probe, limits);
    return { path, probe };
  });
}

/** Says in a refusal which of several files it is about. */
async function naming<Result>(called: string | undefined, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (cause) {
    throw called === undefined ? cause : prefixJobError(cause, called);
  }
}
