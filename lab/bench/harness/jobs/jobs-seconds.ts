import { setTimeout } from 'node:timers/promises';
import type { Client } from '@media-jobs/client';
import type { JobRequest } from '../../../../core/api/job-request.ts';
import { inBatches } from '../stage/in-batches.ts';

const pollMs = 1_000;

/**
 * The wall seconds of jobs that are submitted together, from the first request to the last `completedAt`, which
 * excludes polling.
 *
 * @throws Error for a job that did not complete
 */
export async function jobsSeconds(client: Client, body: JobRequest, count: number): Promise<number> {
  const startedAt = Date.now();
  const ids: string[] = [];
  await inBatches({ count, perBatch: 1 }, async () => {
    ids.push((await client.createJob({ body })).jobId);
  });
  const ended: number[] = [];
  for (const id of ids) ended.push(await endOf(client, id));
  return (Math.max(...ended) - startedAt) / 1000;
}

async function endOf(client: Client, id: string): Promise<number> {
  for (;;) {
    const { state, completedAt, error } = await client.getJob({ params: { id } });
    if (state === 'completed') return Date.parse(completedAt ?? '');
    if (state !== 'queued' && state !== 'processing') {
      throw new Error(`Job ${id} was ${state}: ${error?.message ?? 'no reason given'}`);
    }
    await setTimeout(pollMs);
  }
}
