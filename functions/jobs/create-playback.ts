import type { RouteApp } from '../../adapters/runtime/http/route.ts';
import type { createPlaybackContract } from '../../core/api/playback.ts';
import { findJob } from '../../core/jobs/find-job.ts';
import type { Clock, FileLinks, JobTable } from '../../core/jobs/ports.ts';
import { findPlayable } from '../../core/playback/find-playable.ts';
import type { PlaybackRecords } from '../../core/playback/playback-record.ts';
import { playbackEnd, playbackUrls } from '../../core/playback/playback-urls.ts';

export type CreatePlaybackDeps = {
  jobs: Pick<JobTable, 'get'>;
  playbacks: PlaybackRecords;
  files: Pick<FileLinks, 'publicUrl'>;
  clock: Pick<Clock, 'now'>;
};

/** Makes the URLs with which viewers play a job. */
export function createPlayback({
  jobs,
  playbacks,
  files: { publicUrl },
  clock,
}: CreatePlaybackDeps): RouteApp<typeof createPlaybackContract> {
  return async ({ params, body, principal: { ownerId } }) => {
    const ref = { ownerId, jobId: params.id };
    const [job, record] = await Promise.all([findJob(jobs, ref), playbacks.get(ref)]);
    const now = clock.now();
    const { completed, playable } = findPlayable(job, body.output, now);
    const expiresAt = playbackEnd(completed, playable, { now, seconds: body.expiresInSeconds });
    return { status: 200, body: playbackUrls({ publicUrl, job: completed, playable, record, expiresAt }) };
  };
}
