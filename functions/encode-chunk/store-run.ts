import type { ChunkResult } from '@media-jobs/video/chunking';
import type { JobRef } from '../../core/jobs/ports.ts';
import type { ChunkKeys } from '../../core/jobs/work-files.ts';
import type { WorkerPorts } from '../../core/worker/ports.ts';

type EncodedRun = {
  /** Of the encoded files, by their numbers. */
  paths: readonly string[];
  result: Omit<ChunkResult, 'runId'>;
  keys: ChunkKeys;
  signal: AbortSignal;
};

/**
 * Stores the files of a run of a chunk task, and then its result, which marks the task as complete. If another run has
 * stored a result meanwhile, that one stays. Removes the files that no result names.
 */
export async function storeRun(
  { files, newId, onUnexpected }: WorkerPorts,
  job: JobRef,
  { paths, result, keys, signal }: EncodedRun,
): Promise<void> {
  const runId = newId();
  // A cleanup that fails is reported: reconcile removes what is left after the end of the job.
  const removeFiles = () => files.removeAll(keys.runPrefix(runId)).catch((cause: unknown) => onUnexpected(job, cause));
  try {
    for (const [file, path] of paths.entries()) {
      const key = keys.fileKey(runId, file);
      await files.upload({ key, path, mimeType: 'application/octet-stream', signal });
    }
    signal.throwIfAborted();
  } catch (cause) {
    await removeFiles();
    throw cause;
  }
  // After an error the result may be stored, so the files stay.
  const isFirst = await files.createText(keys.resultKey, JSON.stringify({ runId, ...result }));
  if (!isFirst) await removeFiles();
}
