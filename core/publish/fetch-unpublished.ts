import type { Workspace } from '@media-jobs/video/ffmpeg';
import type { Unpublished } from '../jobs/record.ts';
import { outputPrefix } from '../jobs/retention.ts';
import { filePathOf } from '../jobs/stored-file.ts';
import type { DescribedOutput } from '../worker/outputs.ts';
import type { WorkerPorts } from '../worker/ports.ts';
import type { WorkerContext } from '../worker/worker-context.ts';
import type { FinishedResult } from './store-result.ts';

/**
 * Fetches the encoded files of the retried job from the media bucket, so that nothing is encoded again. Undefined if one of
 * them is gone.
 */
export async function fetchUnpublished(
  { files }: WorkerPorts,
  { job, report, signal }: WorkerContext,
  { unpublished, workspace }: { unpublished: Unpublished; workspace: Workspace },
): Promise<FinishedResult | undefined> {
  const { files: stored, ...result } = unpublished.result;
  report({ stage: 'downloading', fraction: 0 });
  const directory = await workspace.makeDirectory('unpublished');
  const outputs: DescribedOutput[] = [];
  for (const [name, file] of Object.entries(stored)) {
    const path = `${directory}/${outputs.length}`;
    const found = await files.download({ key: file.key, path, signal });
    if (found === undefined) return undefined;
    const key = outputPrefix(job) + filePathOf(file);
    outputs.push({ name, path, sizeBytes: found.bytes, file: { ...file, key } });
  }
  return { outputs, result };
}
