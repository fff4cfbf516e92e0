import type { RouteApp } from '../../adapters/runtime/http/route.ts';
import type { createPlaybackContract, revokePlaybackContract } from '../../core/api/playback.ts';
import type { Clock, FileLinks, JobTable } from '../../core/jobs/ports.ts';
import { findJob } from '../../core/jobs/view.ts';
import {
  type EdgeKey,
  type EdgeStore,
  type EndPlaybackDeps,
  edgeKeys,
  endPlayback,
  type PlaybackRecords,
  playbackRecordEnd,
  recordedEnd,
  signingKey,
} from '../../core/playback/edge-store.ts';
import { findPlayable, playbackEnd, playbackUrls } from '../../core/playback/playback-urls.ts';

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
  const create: RouteApp<typeof createPlaybackContract> = async (call) => {
    const { params, body, principal } = call;
    const ref = { ownerId: principal.ownerId, jobId: params.id };
    // Before the reads: a revocation after them is later than the token.
    const now = clock.now();
    const [job, record, keys] = await Promise.all([findJob(jobs, ref), playbacks.get(ref), readKeys()]);
    const { completed, playable } = findPlayable(job, body.output, now);
    const expiresAt = playbackEnd(completed, playable, { now, seconds: body.expiresInSeconds });
    const key = signingKey(keys, now);
    const edge = key && { key, buckets: deps.edgeBuckets ?? [] };
    const until = recordedEnd(expiresAt);
    // A URL of the API is signed with the time of the revocation, so the record outlives it.
    const needsRecord = edge !== undefined || record.revokedAt !== undefined;
    if (needsRecord && (record.tokensUntil ?? '') < until.toISOString()) {
      await playbacks.raise(ref, 'tokensUntil', until, playbackRecordEnd(now));
      // A revocation in between wrote nothing to the edge, since the record had no token.
      return create(call);
    }
    const { publicUrl } = deps.files;
    const playback = playbackUrls({ publicUrl, job: completed, playable, record, now, expiresAt, edge });
    return { status: 200, body: playback };
  };
  return create;
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

export type RevokePlaybackDeps = EndPlaybackDeps & Pick<CreatePlaybackDeps, 'jobs' | 'playbacks' | 'clock'>;

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
