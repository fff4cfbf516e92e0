/** Prefix in the media bucket of everything that a job needs only until it has ended. */
export function workPrefix(jobId: string): string {
  return `work/${jobId}/`;
}
