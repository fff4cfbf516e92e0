import type { JobRef } from '../jobs/ports.ts';
import { type EdgeStore, revokeAtEdge } from './edge-store.ts';
import type { PlaybackRecords } from './playback-record.ts';

export type EndPlaybackDeps = {
  playbacks: Pick<PlaybackRecords, 'get'>;
  /** Undefined on a stage without an edge. */
  edge?: Pick<EdgeStore, 'put'> | undefined;
};

/** Has the edge refuse the tokens of a job that were made until now. Only a job that may have any writes an entry. */
export async function endPlayback({ playbacks, edge }: EndPlaybackDeps, ref: JobRef, now: Date): Promise<void> {
  if (edge === undefined) return;
  const { tokensUntil = '' } = await playbacks.get(ref);
  if (tokensUntil > now.toISOString()) await revokeAtEdge(edge, ref.jobId, now);
}
