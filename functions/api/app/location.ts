/** The path of a job, for the `Location` of an answer that created it. */
export function locationOf({ jobId }: { jobId: string }): string {
  return `/api/v1/jobs/${jobId}`;
}
