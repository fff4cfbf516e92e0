import type { Clock } from '../../core/jobs/ports.ts';
import { type EdgeStore, maintainEdge } from '../../core/playback/edge-store.ts';

export type MaintainEdgeDeps = {
  store: Pick<EdgeStore, 'list' | 'update'>;
  clock: Pick<Clock, 'now'>;
  newSecret: () => string;
};

/** Makes and rotates the keys of the edge, and removes the revocations that have ended. */
export function maintainEdgeStore({ store, clock, newSecret }: MaintainEdgeDeps): () => Promise<void> {
  return async () => {
    const entries = await store.list();
    await store.update(maintainEdge(entries, { now: clock.now(), newSecret }));
  };
}
