/** The record of a job cannot be read: usually, a newer version of the service has written it before a rollback. */
export class UnreadableJobError extends Error {
  readonly ownerId: string;
  readonly jobId: string;

  constructor({ ownerId, jobId, writtenBy }: { ownerId: string; jobId: string; writtenBy?: string }, cause: unknown) {
    const writer = writtenBy === undefined ? '' : `, which version ${writtenBy} of the service has written,`;
    super(`The record of job ${jobId}${writer} cannot be read`, { cause });
    this.name = 'UnreadableJobError';
    this.ownerId = ownerId;
    this.jobId = jobId;
  }
}

/** For `catch`: returns an UnreadableJobError in place of the record, and throws any other error. */
export function asUnreadable(error: unknown): UnreadableJobError {
  if (error instanceof UnreadableJobError) return error;
  throw error;
}
