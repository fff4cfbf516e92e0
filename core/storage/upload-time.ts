/** A join gives a storage provider a minute, and the time of this rate. */
const graceMs = 60_000;
const minBytesPerMs = 2_000;

/** The time to keep files in the media bucket instead: requests, and a slow function's rate. */
const keepGraceMs = 30_000;
const keepBytesPerMs = 20_000;

/**
 * Milliseconds that a join may upload finished files to a storage provider. Joins are few: one that waits for a slow
 * provider keeps the jobs of other owners waiting.
 *
 * @param leftMs until the deadline of the join. What it needs to keep the files for a retry is left.
 */
export function uploadMsOfJoin(totalBytes: number, leftMs: number): number {
  const keepMs = keepGraceMs + totalBytes / keepBytesPerMs;
  return Math.min(graceMs + totalBytes / minBytesPerMs, leftMs - keepMs);
}

/** Those of a retry, whose files are kept already. A job that reached the deadline would be encoded again. */
export function uploadMsOfRetry(_totalBytes: number, leftMs: number): number {
  return leftMs - keepGraceMs;
}

/** S3 may take some minutes to complete a large upload. */
const completionGraceMs = 5 * 60_000;
const completionMsPerFile = 1_000;
const completionBytesPerMs = 100_000;

/**
 * Milliseconds in which a storage provider must complete the uploads of a job, all files together. The worker sends nothing
 * meanwhile and is billed.
 */
export function completionMsOf(uploads: readonly { sizeBytes: number }[]): number {
  const totalBytes = uploads.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return completionGraceMs + uploads.length * completionMsPerFile + totalBytes / completionBytesPerMs;
}
