/** The smallest job id (a UUIDv7, RFC 9562 section 5.7) that a job created at this moment can have. */
export function minJobIdAt(moment: Date): string {
  const hex = Math.max(0, moment.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** How many shards the index of due jobs has. */
export const dueShards = 4;

/** The shard in which a job waits for reconcile, from the random end of its id. */
export function dueShard(jobId: string): number {
  return (jobId.codePointAt(jobId.length - 1) ?? 0) % dueShards;
}

/** What a caller is told of an id under which it has no job, whoever else may have one. */
export const jobNotFoundMessage = 'There is no such job.';
