import type { MediaLocation, StoredObject } from '@media-jobs/video/chunking';
import type { WorkPass } from '@media-jobs/video/decide';
import { JobError } from '@media-jobs/video/errors';
import type { Encoder, RemoteMedia } from '@media-jobs/video/ffmpeg';
import { validateProbe } from '@media-jobs/video/probe';
import { dependOnCaptions, describesOnly } from '@media-jobs/video/recipes';
import type { JobRef } from '../../core/jobs/ports.ts';
import { inputUrls } from '../../core/jobs/request-inputs.ts';
import { isFileOf, sourceName, workPrefix } from '../../core/jobs/stored-file.ts';
import type { DownloadedInput, FunctionPorts, JobPorts, RemoteInput } from '../../core/worker/ports.ts';
import type { WorkerContext } from '../../core/worker/worker-context.ts';
import type { GraphState, RemoteSource } from './graph-state.ts';

/** The name of the source at its proxy, as in the commands of chunk tasks. */
const name = sourceName(0);

/** Opens the proxy of a source that is read in place. */
export async function openRemoteSource(
  { openRangeProxy }: FunctionPorts,
  { job, signal }: WorkerContext,
  { bytes, location }: RemoteInput,
): Promise<RemoteSource> {
  const proxy = await openRangeProxy({ [name]: location }, { job, signal });
  const readAt: RemoteMedia['readAt'] = (offset, length) => proxy.readAt(name, offset, length);
  return { location, path: proxy.urlOf(name), remote: { readAt, sizeBytes: bytes }, proxy };
}

/** Removes copies of a source whose server serves no ranges. Errors are reported, not thrown. */
export async function removeCopies(
  { files, onUnexpected }: JobPorts,
  ref: JobRef,
  copies: readonly string[],
): Promise<void> {
  for (const key of new Set(copies)) await files.removeAll(key).catch((cause: unknown) => onUnexpected(ref, cause));
}

/** Whether a location is a work file of the job: the copy of a source without ranges, or the output of a step. */
export function isWorkFile(location: MediaLocation, { jobId }: { jobId: string }): location is StoredObject {
  return 'key' in location && location.key.startsWith(workPrefix(jobId));
}

/** Whether the job has stored what is there: a work file, or an output that it delivers and a later step reads. */
function isOfJob(location: MediaLocation, job: { jobId: string }): location is StoredObject {
  return 'key' in location && !('storageProviderId' in location) && isFileOf(job, location);
}

/** An encoder whose commands read this path from the proxy. */
export function readingRemotely(encoder: Encoder, { path }: { path: string }): Encoder {
  const locate = <Input extends { path: string }>(input: Input) =>
    input.path === path ? { ...input, isRemote: true } : input;
  return {
    ...encoder,
    run: (command, options) => encoder.run({ ...command, inputs: command.inputs.map(locate) }, options),
    compare: ({ encoded, source, ...comparison }, options) =>
      encoder.compare(
        {
          ...comparison,
          encoded: { ...encoded, input: locate(encoded.input) },
          source: { ...source, input: locate(source.input) },
        },
        options,
      ),
  };
}

/**
 * Downloads a source that was left in place, for a single pass of steps that read it. Returns the state with its path on this
 * disk, where it is probed again: only there all its packets and boxes are read.
 * @throws JobError if what they tell rejects it
 */
export async function downloadSource(
  deps: JobPorts,
  context: WorkerContext,
  { state, pass }: { state: GraphState; pass: Pick<WorkPass, 'from' | 'to'> },
): Promise<GraphState> {
  const { fetched, workspace, steps, index, ended } = state;
  const { remoteSource, downloaded, ...rest } = fetched;
  const [located, ...others] = downloaded;
  if (remoteSource === undefined || located === undefined) return state;
  const [[step, source] = [undefined, fetched.inputs[0]]] = fetched.inputs.length > 0 ? [] : state.made;
  const isRead = steps
    .slice(pass.from, pass.to)
    .some(({ from }, number) => from === step && !ended.has(pass.from + number));
  if (source === undefined || !isRead) return state;
  await remoteSource.proxy[Symbol.asyncDispose]();
  const path = workspace.downloadPath(located.name);
  const file = await download(deps, context, { remoteSource, path });
  if (file.bytes !== located.bytes) {
    throw new JobError('INPUT_UNREACHABLE', 'The input was replaced while it was read; submit the job again');
  }
  const probe = await deps.media.probe(path, { signal: context.signal, readsCaptions: dependOnCaptions(steps, index) });
  const isDescribed = steps.every(({ recipe }) => describesOnly(recipe));
  if (fetched.inputs.length > 0 && !isDescribed) validateProbe(probe, deps.limits);
  const local = { path, probe };
  const { made, inputs } =
    state.fetched.inputs.length > 0
      ? { made: state.made, inputs: [local] }
      : { made: new Map([...state.made, [step ?? 0, local]]), inputs: [] };
  return {
    ...state,
    made,
    fetched: { ...rest, made, inputs, downloaded: [{ name: located.name, ...file }, ...others] },
  };
}

/** Downloads the source from where it is: the bucket, if the job has stored it, else its host or storage provider. */
async function download(
  deps: JobPorts,
  { job, signal, report }: WorkerContext,
  { remoteSource, path }: { remoteSource: RemoteSource; path: string },
): Promise<DownloadedInput> {
  const { location } = remoteSource;
  const { sizeBytes } = remoteSource.remote;
  if (isOfJob(location, job)) {
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
