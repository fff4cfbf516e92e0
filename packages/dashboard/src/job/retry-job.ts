import type { Client } from '@media-jobs/client';

/** Idempotency keys of retries without a response, by job id. Another try, from any page, uses the same key. */
const pendingKeys = new Map<string, string>();

/**
 * Retries a job. A retry whose response was lost creates only one new job.
 * @throws ApiError
 */
export async function retryJob(client: Pick<Client, 'retryJob'>, jobId: string, newKey: () => string) {
  const key = pendingKeys.get(jobId) ?? newKey();
  pendingKeys.set(jobId, key);
  const job = await client.retryJob({ params: { id: jobId }, headers: { 'idempotency-key': key } });
  pendingKeys.delete(jobId);
  return job;
}
