/** The smallest id (UUIDv7, RFC 9562 section 5.7) of a job created at this time. */
export function minJobIdAt(moment: Date): string {
  const hex = Math.max(0, moment.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** The shards of the index of due jobs. */
export const dueShards = 4;

/** The shard of a job, from the random end of its id. */
export function dueShard(jobId: string): number {
  return (jobId.codePointAt(jobId.length - 1) ?? 0) % dueShards;
}

/** The same message whether no job has the id or another owner's. */
export const jobNotFoundMessage = 'There is no such job.';
