import type { Client } from '@media-jobs/client';
import { retriedJobExample } from '@media-jobs/core/api';
import { expect, it } from 'vitest';
import { retryJob } from '../../src/job/retry-job.ts';

/** An API that loses its first responses, and the idempotency keys it received. */
function anApiThatLoses(responses: number) {
  const keys: (string | undefined)[] = [];
  let keyCount = 0;
  const client: Pick<Client, 'retryJob'> = {
    retryJob: async ({ headers }) => {
      keys.push(headers?.['idempotency-key']);
      if (keys.length <= responses) throw new Error('no response');
      return retriedJobExample;
    },
  };
  return { keys, retry: (jobId: string) => retryJob(client, jobId, () => `key-${++keyCount}`) };
}

it('a retry whose response was lost is sent again with the same key, and the next retry with a new key', async () => {
  const { keys, retry } = anApiThatLoses(1);
  await expect(retry('job-1')).rejects.toThrow('no response');
  await retry('job-1');
  await retry('job-1');
  expect(keys).toEqual(['key-1', 'key-1', 'key-2']);
});

it('each job has its own retry key', async () => {
  const { keys, retry } = anApiThatLoses(2);
  await Promise.allSettled([retry('job-2'), retry('job-3')]);
  await Promise.all([retry('job-2'), retry('job-3')]);
  expect(keys).toEqual(['key-1', 'key-2', 'key-1', 'key-2']);
});
