import type { Call } from '../http/call.ts';

/** Deletes a job and its files. One that has not ended is cancelled first: only then it can be deleted. */
export async function deleteJob(call: Call, jobId: string): Promise<void> {
  const path = `/api/v1/jobs/${jobId}`;
  const { status } = await call('DELETE', path);
  if (status !== 409) return;
  await call('POST', `${path}/cancel`);
  await call('DELETE', path);
}
