import type { JobRef } from '../../core/jobs/ports.ts';
import type { Workspace } from '../../core/media/workspace.ts';

export type WorkspacePorts = {
  openWorkspace: () => Promise<Workspace>;
  onUnexpected: (ref: JobRef, cause: unknown) => void;
};

/** A directory of one's own that is removed in the end; no work fails since that did. */
export async function openedWorkspace(
  { openWorkspace, onUnexpected }: WorkspacePorts,
  ref: JobRef,
): Promise<AsyncDisposable & { workspace: Workspace }> {
  const workspace = await openWorkspace();
  return {
    workspace,
    [Symbol.asyncDispose]: () => workspace.remove().catch((cause: unknown) => onUnexpected(ref, cause)),
  };
}
