/** The smallest id (UUIDv7, RFC 9562 section 5.7) of a job created at this time. */
export function minJobIdAt(moment: Date): string {
  const hex = Math.max(0, moment.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** The creation time in a job's id. */
export function jobCreatedAt(jobId: string): Date {
  return new Date(Number.parseInt(jobId.slice(0, 13).replace('-', ''), 16));
}

/** The same message whether no job has the id or another owner's. */
export const jobNotFoundMessage = 'There is no such job.';

/** Sorts after every owner id and every job id. */
export const afterEveryId = '~';

/** Sorts after every id before this one, for ranges that include their end. */
export function lastIdBefore(jobId: string): string {
  return jobId.slice(0, -1) + String.fromCharCode(jobId.charCodeAt(jobId.length - 1) - 1) + afterEveryId;
}

/** Sorts before every id after this one, for ranges that include their start. */
export function firstIdAfter(jobId: string): string {
  return jobId + afterEveryId;
}
