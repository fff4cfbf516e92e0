import type { Client } from '../../client/client.ts';

/** Keys of retries that were not answered, by job: whoever asks again, from whatever page, asks for the same. */
const unanswered = new Map<string, string>();

/** Retries a job, as one new job however often the answer is lost. Throws ApiError. */
export async function retryJob(client: Pick<Client, 'retryJob'>, jobId: string, newKey: () => string) {
  const key = unanswered.get(jobId) ?? newKey();
  unanswered.set(jobId, key);
  const job = await client.retryJob({ params: { id: jobId }, headers: { 'idempotency-key': key } });
  unanswered.delete(jobId);
  return job;
}
