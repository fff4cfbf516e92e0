import type { PlanCost } from '../../core/cost-model/plan-cost.ts';
import { JobError } from '../../core/errors.ts';
import { inputUrls } from '../../core/jobs/request-inputs.ts';
import type { Workspace } from '../../core/media/ffmpeg/ports.ts';
import { functionDiskBytes } from '../../core/media/probe/input-limits.ts';
import type { DownloadedInput, TranscodeDeps, WorkerContext } from '../worker/worker-deps.ts';
import { ExceedsFunctionError } from './exceeds-function.ts';
import type { FetchedInputs } from './fetch-inputs.ts';
import { isCopy, type RemoteSource } from './remote-source.ts';
import { requireFittingTask } from './require-fitting-time.ts';

/**
 * Finds out, before it is downloaded, that a source does not fit on the disk, or not together with what is copied from it.
 * The sizes of other outputs are known too roughly for that.
 * @param reason why the work is not split into chunks
 * @throws ExceedsFunctionError if a Fargate task has time for it
 * @throws JobError `INPUT_TOO_LARGE`
 */
export function requireFittingDisk(
  { maxDownloadBytes, fargate }: Pick<TranscodeDeps, 'maxDownloadBytes' | 'fargate'>,
  { remoteSource, inputSizeBytes }: Pick<FetchedInputs, 'remoteSource' | 'inputSizeBytes'>,
  { cost, reason }: { cost: PlanCost; reason: string },
): void {
  const isTooLarge = (remoteSource?.remote.sizeBytes ?? 0) > maxDownloadBytes;
  const copiedBytes = Math.round(cost.copiedBytes);
  if (!isTooLarge && inputSizeBytes + copiedBytes <= functionDiskBytes) return;
  if (fargate !== undefined) {
    requireFittingTask(fargate, cost);
    const files = isTooLarge ? 'its input does' : 'its input and its copy do';
    const why = `A Fargate task encodes it: ${files} not fit on a function's disk`;
    throw new ExceedsFunctionError(`${reason}. ${why}`);
  }
  const need = isTooLarge
    ? `all of it on the disk of one worker, which takes ${maxDownloadBytes}`
    : `that and ${copiedBytes} that are copied on the disk of one worker, which has ${functionDiskBytes}`;
  const message =
    `The input has ${inputSizeBytes} bytes, and this work needs ${need}. ${reason}. Use a recipe and parameters that are encoded in chunks, or a smaller input; ` +
    "the service's operator can set fargate for tasks with a larger disk";
  throw new JobError('INPUT_TOO_LARGE', message);
}

/** Downloads a source that was left in place, for a single pass. Returns the inputs with their paths on this disk. */
export async function downloadSource(
  deps: TranscodeDeps,
  context: WorkerContext,
  { fetched, workspace }: { fetched: FetchedInputs; workspace: Workspace },
): Promise<FetchedInputs> {
  const { remoteSource, inputs, downloaded, ...rest } = fetched;
  const [source] = inputs;
  const [located, ...others] = downloaded;
  if (remoteSource === undefined || source === undefined || located === undefined) return fetched;
  await remoteSource.proxy[Symbol.asyncDispose]();
  const path = workspace.downloadPath(located.name);
  const file = await download(deps, context, { remoteSource, path });
  if (file.bytes !== located.bytes) {
    throw new JobError('INPUT_UNREACHABLE', 'The input was replaced while it was read; submit the job again');
  }
  return {
    ...rest,
    inputs: [{ path, probe: source.probe }],
    downloaded: [{ name: located.name, ...file }, ...others],
  };
}

async function download(
  deps: TranscodeDeps,
  { job, signal, report }: WorkerContext,
  { remoteSource, path }: { remoteSource: RemoteSource; path: string },
): Promise<DownloadedInput> {
  const { location } = remoteSource;
  const { sizeBytes } = remoteSource.remote;
  if (isCopy(location, job)) {
    const file = await deps.files.download({ key: location.key, path, signal });
    if (file === undefined) throw new Error(`${location.key} is missing right after its copy`);
    return file;
  }
  const [url = ''] = inputUrls(job.request);
  const file = await deps.download({
    url,
    ownerId: job.ownerId,
    path,
    maxBytes: deps.maxDownloadBytes,
    signal,
    onProgress: ({ bytes }) => report({ stage: 'downloading', fraction: bytes / sizeBytes }),
  });
  if ('location' in file) throw new TypeError('A download without a place to stay was not downloaded');
  return file;
}
