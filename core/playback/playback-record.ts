import type { JobRef } from '../jobs/ports.ts';

/** What is remembered of the playback URLs of a job, apart from its record: other writes of that must not undo it. */
export type PlaybackRecord = {
  /** No token for the edge lives longer, and no URL that was made after a revocation. Undefined: the job has none. */
  tokensUntil?: string | undefined;
  /** URLs that were made until then open nothing. */
  revokedAt?: string | undefined;
};

export type PlaybackRecords = {
  /** Strongly consistent. */
  get(ref: JobRef): Promise<PlaybackRecord>;
  /** Sets a time, unless a later one is set. The record goes at `expiresAt`. */
  raise(ref: JobRef, field: keyof PlaybackRecord, to: Date, expiresAt: Date): Promise<void>;
};

const dayMs = 86_400_000;

/** No URL lives longer. */
export const maxPlaybackSeconds = 7 * 86_400;

/** Longer than any URL that was made before `now`, and than `tokensUntil`. */
export function playbackRecordEnd(now: Date): Date {
  return new Date(now.getTime() + maxPlaybackSeconds * 1000 + 2 * dayMs);
}

/** The end of a token as the record has it: that of its day, so that the viewers of a day cause one write. */
export function recordedEnd(tokenEnd: Date): Date {
  return new Date(Math.ceil(tokenEnd.getTime() / dayMs) * dayMs);
}
