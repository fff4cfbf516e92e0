import type { RouteApp } from '../../adapters/runtime/http/route.ts';
import type { revokePlaybackContract } from '../../core/api/playback.ts';
import { findJob } from '../../core/jobs/find-job.ts';
import type { Clock, JobTable } from '../../core/jobs/ports.ts';
import { type PlaybackRecords, playbackRecordEnd } from '../../core/playback/playback-record.ts';

export type RevokePlaybackDeps = {
  jobs: Pick<JobTable, 'get'>;
  playbacks: PlaybackRecords;
  clock: Pick<Clock, 'now'>;
};

/** Ends all playback URLs of a job that were made before now. */
export function revokePlayback({
  jobs,
  playbacks,
  clock,
}: RevokePlaybackDeps): RouteApp<typeof revokePlaybackContract> {
  return async ({ params, principal: { ownerId } }) => {
    const ref = { ownerId, jobId: params.id };
    await findJob(jobs, ref);
    const now = clock.now();
    await playbacks.raise(ref, 'revokedAt', now, playbackRecordEnd(now));
    return { status: 204 };
  };
}
