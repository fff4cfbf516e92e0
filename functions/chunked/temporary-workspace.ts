import type { JobRef } from '../../core/jobs/ports.ts';
import type { Workspace } from '../../core/media/ffmpeg/ports.ts';

export type WorkspaceDeps = {
  openWorkspace: () => Promise<Workspace>;
  onUnexpected: (ref: JobRef, cause: unknown) => void;
};

/** A directory of one's own that is removed in the end; no work fails since that did. */
export async function openTemporaryWorkspace(
  { openWorkspace, onUnexpected }: WorkspaceDeps,
  ref: JobRef,
): Promise<AsyncDisposable & { workspace: Workspace }> {
  const workspace = await openWorkspace();
  return {
    workspace,
    [Symbol.asyncDispose]: () => workspace.remove().catch((cause: unknown) => onUnexpected(ref, cause)),
  };
}
