import { describe, expect, it } from 'vitest';
import { aCancelledJob, aCompletedJob, aFailedJob, aRejectedJob } from '../../builders/jobs/ended-jobs.ts';
import { aJobId, aProcessingJob, aQueuedJob } from '../../builders/jobs/jobs.ts';
import { aStorageProvider } from '../../builders/storage/a-storage-provider.ts';
import { jobRoutes, ref } from './job-routes.ts';

const { jobId } = ref;

describe('retrying', () => {
  it.each([aFailedJob({ jobId }), aRejectedJob({ jobId }), aCancelledJob({ jobId })])(
    'makes a new job of a $state one with its content key, and leaves it as it is',
    async (ended) => {
      const request = { ...ended.request, priority: 9 };
      const contentKey = { jobId: aJobId(7), encrypted: 'sealed' };
      const job = { ...ended, request, contentKey };
      const { retry, stored, sent } = await jobRoutes(job);
      const { status, headers, body } = await retry();
      expect({ status, headers }).toEqual({ status: 201, headers: { location: `/api/v1/jobs/${body.jobId}` } });
      expect(body).toMatchObject({ state: 'queued', retryOf: jobId, attempt: 0, priority: 9 });
      expect(await stored(body.jobId)).toMatchObject({ request, retryOf: jobId, contentKey });
      expect(JSON.stringify(body)).not.toContain('sealed');
      expect(await stored()).toEqual(job);
      expect(sent).toEqual([body.jobId]);
    },
  );

  it.each([aQueuedJob({ jobId }), aProcessingJob({ jobId }), aCompletedJob({ jobId })])(
    'is an error for a $state job',
    async (job) => {
      const { retry, sent } = await jobRoutes(job);
      await expect(retry()).rejects.toMatchObject({ code: 'JOB_NOT_RETRYABLE' });
      expect(sent).toEqual([]);
    },
  );
});

describe('retrying a job of a storage provider', () => {
  const provider = aStorageProvider({ prefix: 'media' });
  const { storageProviderId } = provider;
  const { request } = aFailedJob();
  const destination = { storageProviderId, keyTemplate: '{jobId}.{extension}' };
  const input = { storageProviderId, key: 'films/in.mp4' };
  const stored = aFailedJob({ jobId, destination, request: { ...request, input } });

  it('keeps its destination', async () => {
    const { retry, providers, stored: read } = await jobRoutes(stored);
    await providers.create(provider);
    const { body } = await retry();
    expect(await read(body.jobId)).toMatchObject({ destination, request: { input } });
  });

  it('pays for the transfer that its provider needs now', async () => {
    const { retry, providers, stored: read } = await jobRoutes(stored);
    await providers.create({ ...provider, kind: 's3-compatible' });
    const { body } = await retry();
    expect(await read(body.jobId)).toMatchObject({ destination: { ...destination, isOutsideAws: true } });
  });

  it.each([
    ['was removed', undefined, ['input.storageProviderId', 'output.storageProviderId']],
    ['has a prefix that the key repeats', { ...provider, prefix: 'films' }, ['input.key']],
    ['has a longer prefix', { ...provider, prefix: `media/${'\u{1f39e}'.repeat(255)}` }, ['input.key', 'output.key']],
  ])('is an error if the provider %s, unless the retry was accepted before', async (_, changed, paths) => {
    const { retry, providers, sent } = await jobRoutes(stored);
    await providers.create(provider);
    const { body } = await retry('key-1');
    await (changed === undefined ? providers.remove(provider) : providers.replace(changed, provider));
    const details = paths.map((path) => expect.objectContaining({ path }));
    for (const key of [undefined, 'key-2']) {
      await expect(retry(key)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', details });
    }
    expect((await retry('key-1')).body).toEqual(body);
    expect(new Set(sent)).toEqual(new Set([body.jobId]));
  });
});

describe('retrying with an idempotency key', () => {
  it('replays the first response after the retried job was deleted', async () => {
    const { retry, remove, list } = await jobRoutes(aFailedJob({ jobId }));
    const first = await retry('key-1');
    await remove();
    const again = await retry('key-1');
    expect(again).toEqual({ ...first, headers: { ...first.headers, 'idempotent-replayed': 'true' } });
    for (const key of [undefined, 'key-2']) {
      await expect(retry(key)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
    expect(await list()).toHaveLength(1);
  });

  it('makes one job of repeated and concurrent requests', async () => {
    const { retry, list } = await jobRoutes(aFailedJob({ jobId }));
    const answers = await Promise.all([retry('key-1'), retry('key-1'), retry('key-1')]);
    const again = await retry('key-1');
    expect(await list()).toHaveLength(2);
    expect(new Set([...answers, again].map(({ body }) => body.jobId)).size).toBe(1);
    expect(again).toMatchObject({ status: 201, headers: { 'idempotent-replayed': 'true' } });
    expect(again.body).toEqual(answers[0]?.body);
  });

  it('sends the message that an earlier attempt could not send', async () => {
    const { retry, sent, broken, list } = await jobRoutes(aFailedJob({ jobId }));
    broken.send = true;
    expect([(await retry('key-1')).status, sent]).toEqual([201, []]);
    broken.send = false;
    const { body } = await retry('key-1');
    expect([sent, (await list()).length]).toEqual([[body.jobId], 2]);
  });

  it('rejects a key that was used to retry another job', async () => {
    const { retry, store, list } = await jobRoutes(aFailedJob({ jobId }));
    const other = aJobId(9);
    await store(aFailedJob({ jobId: other }));
    await retry('key-1');
    await expect(retry('key-1', other)).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    expect(await list()).toHaveLength(3);
  });

  it('does not store the key of a rejected retry', async () => {
    const { retry, store } = await jobRoutes(aCompletedJob({ jobId }));
    await expect(retry('key-1')).rejects.toMatchObject({ code: 'JOB_NOT_RETRYABLE' });
    await store(aFailedJob({ jobId: aJobId(9) }));
    expect(await retry('key-1', aJobId(9))).toMatchObject({ status: 201 });
  });
});
