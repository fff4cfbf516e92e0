import { expect, it } from 'vitest';
import type { Client } from '../../../client/client.ts';
import { retriedJobExample } from '../../../core/api/job-examples.ts';
import { retryJob } from '../../../dashboard/job/retry-job.ts';

/** An API that loses so many of its answers, and the keys that it was asked with. */
function anApiThatLoses(answers: number) {
  const keys: (string | undefined)[] = [];
  let made = 0;
  const client: Pick<Client, 'retryJob'> = {
    retryJob: async ({ headers }) => {
      keys.push(headers?.['idempotency-key']);
      if (keys.length <= answers) throw new Error('no answer');
      return retriedJobExample;
    },
  };
  return { keys, retry: (jobId: string) => retryJob(client, jobId, () => `key-${++made}`) };
}

it('a retry whose answer was lost is asked for again under its key, and the next one under its own', async () => {
  const { keys, retry } = anApiThatLoses(1);
  await expect(retry('job-1')).rejects.toThrow('no answer');
  await retry('job-1');
  await retry('job-1');
  expect(keys).toEqual(['key-1', 'key-1', 'key-2']);
});

it('each job has a key of its own', async () => {
  const { keys, retry } = anApiThatLoses(2);
  await Promise.allSettled([retry('job-2'), retry('job-3')]);
  await Promise.all([retry('job-2'), retry('job-3')]);
  expect(keys).toEqual(['key-1', 'key-2', 'key-1', 'key-2']);
});
