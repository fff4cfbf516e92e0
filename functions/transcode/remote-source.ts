import type { MediaLocation, StoredObject } from '@media-jobs/video/chunking';
import type { Encoder, RemoteMedia } from '@media-jobs/video/ffmpeg';
import type { RangeProxy } from '../../core/jobs/chunked-ports.ts';
import type { JobRef } from '../../core/jobs/ports.ts';
import { sourceName } from '../../core/jobs/work-files.ts';
import { workPrefix } from '../../core/jobs/work-prefix.ts';
import type { FunctionPorts, JobPorts, RemoteInput } from '../../core/worker/ports.ts';
import type { WorkerContext } from '../../core/worker/worker-context.ts';

/** The source of a job, read by ranges in place until the job is planned. Its path is a URL of the proxy. */
export type RemoteSource = { location: MediaLocation; path: string; remote: RemoteMedia; proxy: RangeProxy };

/** As in the commands of chunk tasks. */
const name = sourceName(0);

/** Opens a source in place. */
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
  { copies }: { copies: readonly string[] },
): Promise<void> {
  for (const key of new Set(copies)) await files.removeAll(key).catch((cause: unknown) => onUnexpected(ref, cause));
}

/** Whether a location is a work file of the job: the copy of a source without ranges, or the output of a step. */
export function isWorkFile(location: MediaLocation, { jobId }: { jobId: string }): location is StoredObject {
  return 'key' in location && location.key.startsWith(workPrefix(jobId));
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
