import type { RouteApp } from '../../adapters/runtime/http/route.ts';
import type { createPlaybackContract } from '../../core/api/playback.ts';
import { findJob } from '../../core/jobs/find-job.ts';
import type { Clock, FileLinks, JobTable } from '../../core/jobs/ports.ts';
import { type EdgeStore, edgeKeys } from '../../core/playback/edge-store.ts';
import { type EdgeKey, signingKey } from '../../core/playback/edge-token.ts';
import { findPlayable } from '../../core/playback/find-playable.ts';
import { type PlaybackRecords, playbackRecordEnd, recordedEnd } from '../../core/playback/playback-record.ts';
import { playbackEnd, playbackUrls } from '../../core/playback/playback-urls.ts';

export type CreatePlaybackDeps = {
  jobs: Pick<JobTable, 'get'>;
  playbacks: PlaybackRecords;
  files: Pick<FileLinks, 'publicUrl'>;
  /** Undefined on a stage without an edge. */
  edge?: Pick<EdgeStore, 'get'> | undefined;
  /** The buckets of the account that the edge reads. */
  edgeBuckets?: readonly string[];
  clock: Pick<Clock, 'now'>;
};

/** Makes the URLs with which viewers play a job. */
export function createPlayback(deps: CreatePlaybackDeps): RouteApp<typeof createPlaybackContract> {
  const { jobs, playbacks, clock } = deps;
  const readKeys = cachedKeys(deps);
  return async ({ params, body, principal: { ownerId } }) => {
    const ref = { ownerId, jobId: params.id };
    const [job, record, keys] = await Promise.all([findJob(jobs, ref), playbacks.get(ref), readKeys()]);
    const now = clock.now();
    const { completed, playable } = findPlayable(job, body.output, now);
    const expiresAt = playbackEnd(completed, playable, { now, seconds: body.expiresInSeconds });
    const key = signingKey(keys, now);
    const edge = key && { key, buckets: deps.edgeBuckets ?? [] };
    const { publicUrl } = deps.files;
    const playback = playbackUrls({ publicUrl, job: completed, playable, record, now, expiresAt, edge });
    const until = recordedEnd(expiresAt);
    if (edge !== undefined && (record.tokensUntil ?? '') < until.toISOString()) {
      await playbacks.raise(ref, 'tokensUntil', until, playbackRecordEnd(now));
    }
    return { status: 200, body: playback };
  };
}

/** A new key is used five minutes after it was made, so that an old list does no harm. */
const keysCacheMs = 60_000;

function cachedKeys({ edge, clock }: Pick<CreatePlaybackDeps, 'edge' | 'clock'>): () => Promise<EdgeKey[]> {
  let cached: { keys: EdgeKey[]; untilMs: number } | undefined;
  return async () => {
    if (edge === undefined) return [];
    const nowMs = clock.now().getTime();
    if (cached !== undefined && nowMs < cached.untilMs) return cached.keys;
    const keys = await edgeKeys(edge);
    if (keys.length > 0) cached = { keys, untilMs: nowMs + keysCacheMs };
    return keys;
  };
}
