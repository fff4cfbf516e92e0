/** The keys of every item in the table: all that an owner has lies in the owner's partition. */

const jobSortPrefix = 'JOB#';

export function ownerPartition(ownerId: string): string {
  return `OWNER#${ownerId}`;
}

export function ownerOfPartition(pk: string): string {
  return pk.slice('OWNER#'.length);
}

export function jobSort(jobId: string): string {
  return jobSortPrefix + jobId;
}

export function jobIdOfSort(sk: string): string {
  return sk.slice(jobSortPrefix.length);
}

/** The partition of the index `byState`. */
export function statePartition(ownerId: string, state: string): string {
  return `${ownerPartition(ownerId)}#${state}`;
}

/** A prefix of the sort keys of a job's delivery attempts, or of one delivery's. */
export function attemptSortPrefix(jobId: string, deliveryId?: string): string {
  return `DELIVERY#${jobId}#${deliveryId === undefined ? '' : `${deliveryId}#`}`;
}

export function attemptSort(jobId: string, deliveryId: string, attempt: number): string {
  return attemptSortPrefix(jobId, deliveryId) + attempt;
}

export const settingsSort = 'SETTINGS';

export function keySort(keyId: string): string {
  return `KEY#${keyId}`;
}

export const keySortPrefix = 'KEY#';

export function keyHashPartition(hash: string): string {
  return `KEYHASH#${hash}`;
}

export const keyHashSort = 'KEY';

export function idempotencySort(keyHash: string): string {
  return `IDEMPOTENCY#${keyHash}`;
}

/** A prefix of the sort keys of the logs of a job's attempts. */
export function logSortPrefix(jobId: string): string {
  return `LOG#${jobId}#`;
}

export function logSort(jobId: string, attempt: number): string {
  return logSortPrefix(jobId) + attempt;
}
