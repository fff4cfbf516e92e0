import type { RouteApp } from '../../adapters/runtime/http/route.ts';
import type { revokePlaybackContract } from '../../core/api/playback.ts';
import type { Clock, JobTable } from '../../core/jobs/ports.ts';
import { findJob } from '../../core/jobs/view.ts';
import { type EndPlaybackDeps, endPlayback } from '../../core/playback/end-playback.ts';
import { type PlaybackRecords, playbackRecordEnd } from '../../core/playback/playback-record.ts';

export type RevokePlaybackDeps = EndPlaybackDeps & {
  jobs: Pick<JobTable, 'get'>;
  playbacks: PlaybackRecords;
  clock: Pick<Clock, 'now'>;
};

/** Ends all playback URLs of a job that were made before now. */
export function revokePlayback(deps: RevokePlaybackDeps): RouteApp<typeof revokePlaybackContract> {
  const { jobs, playbacks, clock } = deps;
  return async ({ params, principal: { ownerId } }) => {
    const ref = { ownerId, jobId: params.id };
    await findJob(jobs, ref);
    const now = clock.now();
    await playbacks.raise(ref, 'revokedAt', now, playbackRecordEnd(now));
    await endPlayback(deps, ref, now);
    return { status: 204 };
  };
}
