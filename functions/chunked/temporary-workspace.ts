import type { JobRef } from '../../core/jobs/ports.ts';
import type { Workspace } from '../../core/media/ffmpeg/ports.ts';
import type { WorkerDeps } from '../worker/worker-deps.ts';

/** A directory of one's own that is removed in the end; no work fails since that did. */
export async function openTemporaryWorkspace(
  { openWorkspace, onUnexpected }: WorkerDeps,
  ref: JobRef,
): Promise<AsyncDisposable & { workspace: Workspace }> {
  const workspace = await openWorkspace();
  return {
    workspace,
    [Symbol.asyncDispose]: () => workspace.remove().catch((cause: unknown) => onUnexpected(ref, cause)),
  };
}
