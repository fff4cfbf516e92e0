/** A read takes some 50 ms: four at a time are enough for 80 a second. */
const maxReads = 4;

/**
 * Playlists of an owner that are read at storage providers at the same time, each for at most five seconds. A provider that
 * hangs holds a tenth of the stage's executions at most.
 */
export function maxPlaylistReads({ capacity }: { capacity: number }): number {
  return Math.max(1, Math.min(maxReads, Math.floor(capacity / 10)));
}
