import type { Workspace } from '@media-jobs/video/ffmpeg';
import type { JobRef } from '../jobs/ports.ts';
import { publicationPrefix } from '../jobs/publication.ts';
import { isTerminal } from '../jobs/record.ts';
import { workPrefix } from '../jobs/stored-file.ts';
import type { WorkerPorts } from '../worker/ports.ts';

/** Opens a workspace that is removed when it is disposed. Cleanup errors are reported, not thrown. */
export async function openTemporaryWorkspace(
  { openWorkspace, onUnexpected }: WorkerPorts,
  ref: JobRef,
): Promise<AsyncDisposable & { workspace: Workspace }> {
  const workspace = await openWorkspace();
  return {
    workspace,
    [Symbol.asyncDispose]: () => workspace.remove().catch((cause: unknown) => onUnexpected(ref, cause)),
  };
}

/**
 * Removes a job's work files if the job has ended or is gone. Otherwise they stay for the next attempt. Cleanup errors
 * are reported, not thrown: reconcile removes what is left.
 */
export async function removeWorkFiles({ jobs, files, onUnexpected }: WorkerPorts, ref: JobRef): Promise<void> {
  try {
    const job = await jobs.get(ref);
    if (job === undefined || job.state === 'deleted' || isTerminal(job))
      await files.removeAll(workPrefix(ref.jobId), { except: [publicationPrefix(ref.jobId)] });
  } catch (cause) {
    onUnexpected(ref, cause);
  }
}
