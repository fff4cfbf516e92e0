import { JobError } from '@media-jobs/video/errors';
import { lacksStreamEnds } from '@media-jobs/video/probe';
import { dependOnCaptions } from '@media-jobs/video/recipes';
import { inputUrls } from '../../core/jobs/request-inputs.ts';
import type { DownloadedInput, JobPorts } from '../../core/worker/ports.ts';
import type { WorkerContext } from '../../core/worker/worker-context.ts';
import type { FetchedInputs } from './fetch-inputs.ts';
import type { PipelineState } from './pipeline-state.ts';
import { isWorkFile, type RemoteSource } from './remote-source.ts';

/**
 * Downloads a source that was left in place, for a single pass from a step on. Returns the inputs with their paths on this
 * disk. A file that does not state when its streams end is probed again: on the disk, all its packets are read.
 */
export async function downloadSource(
  deps: JobPorts,
  context: WorkerContext,
  { fetched, workspace, steps, index }: PipelineState,
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
  const probe = lacksStreamEnds(source.probe)
    ? await deps.media.probe(path, {
        signal: context.signal,
        readsCaptions: dependOnCaptions(steps, index),
      })
    : source.probe;
  return {
    ...rest,
    inputs: [{ path, probe }],
    downloaded: [{ name: located.name, ...file }, ...others],
  };
}

async function download(
  deps: JobPorts,
  { job, signal, report }: WorkerContext,
  { remoteSource, path }: { remoteSource: RemoteSource; path: string },
): Promise<DownloadedInput> {
  const { location } = remoteSource;
  const { sizeBytes } = remoteSource.remote;
  if (isWorkFile(location, job)) {
    const file = await deps.files.download({ key: location.key, path, signal });
    if (file === undefined) throw new Error(`${location.key} was removed while it was read`);
    return file;
  }
  const [url = ''] = inputUrls(job.request);
  const file = await deps.sources.download({
    url,
    ownerId: job.ownerId,
    path,
    maxBytes: deps.maxDownloadBytes,
    signal,
    onProgress: ({ bytes }) => report({ stage: 'downloading', fraction: bytes / sizeBytes }),
  });
  if ('location' in file) throw new TypeError('An input that is not remote was not downloaded');
  return file;
}
