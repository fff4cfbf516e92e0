import type { Undelivered } from '../../core/jobs/record.ts';
import { attemptPrefix, filenameOf } from '../../core/jobs/stored-file.ts';
import type { Workspace } from '../../core/media/ffmpeg/ports.ts';
import type { DescribedOutput } from '../worker/outputs.ts';
import type { WorkerContext, WorkerDeps } from '../worker/worker-deps.ts';
import type { Delivery } from './deliver.ts';

/**
 * Fetches the encoded files of the retried job from the media bucket, so that nothing is encoded again. Undefined if one of
 * them is gone.
 */
export async function fetchUndelivered(
  { files }: WorkerDeps,
  { job, report, signal }: WorkerContext,
  { undelivered, workspace }: { undelivered: Undelivered; workspace: Workspace },
): Promise<Delivery | undefined> {
  const { files: stored, ...result } = undelivered.result;
  report({ stage: 'downloading', fraction: 0 });
  const directory = await workspace.makeDirectory('undelivered');
  const outputs: DescribedOutput[] = [];
  for (const [name, file] of Object.entries(stored)) {
    const filename = filenameOf(file);
    const path = `${directory}/${filename}`;
    const found = await files.download({ key: file.key, path, signal });
    if (found === undefined) return undefined;
    const key = attemptPrefix(job.jobId, job.attempt) + filename;
    outputs.push({ name, path, sizeBytes: found.bytes, file: { ...file, key } });
  }
  return { outputs, result };
}
