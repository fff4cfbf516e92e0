import { describe, expect, it } from 'vitest';
import type { Principal } from '../../../core/access/authentication.ts';
import type { Scope } from '../../../core/access/scopes.ts';
import { ConflictError } from '../../../core/jobs/retry-conflicts.ts';
import { complete } from '../../../core/jobs/termination.ts';
import { heartbeat } from '../../../core/jobs/transitions.ts';
import { usageRefOf } from '../../../core/jobs/usage-counter.ts';
import { aCancelledJob, aCompletedJob, aFailedJob, aRejectedJob } from '../../builders/jobs/ended-jobs.ts';
import { aJobId, aProcessingJob, aQueuedJob, later } from '../../builders/jobs/jobs.ts';
import { aParallelJob } from '../../builders/jobs/parallel-jobs.ts';
import { aStorageProvider } from '../../builders/storage/a-storage-provider.ts';
import { jobRoutes, ref } from './job-routes.ts';

const { jobId } = ref;

describe('cancelling', () => {
  it.each([
    ['queued', aQueuedJob({ jobId })],
    ['processing', aProcessingJob({ jobId })],
  ])('ends a %s job at once and starts its webhook', async (_, job) => {
    const { cancel, stored, started } = await jobRoutes(job);
    expect(await cancel()).toMatchObject({ status: 200, body: { jobId, state: 'cancelled' } });
    expect(await stored()).toMatchObject({ state: 'cancelled', completedAt: later(5_000).toISOString() });
    expect(started).toEqual(['delivery-9']);
  });

  it('stops the execution that encodes its chunks', async () => {
    const { cancel, parallel } = await jobRoutes(aParallelJob({ jobId }));
    expect(await cancel()).toMatchObject({ status: 200, body: { state: 'cancelled' } });
    expect([...parallel.running.keys()]).toEqual([]);
  });

  it('succeeds although the execution cannot be stopped: chunk tasks check the job', async () => {
    const { cancel, stored, parallel } = await jobRoutes(aParallelJob({ jobId }));
    parallel.stop = () => Promise.reject(new Error('Step Functions is away'));
    expect(await cancel()).toMatchObject({ status: 200, body: { state: 'cancelled' } });
    expect(await stored()).toMatchObject({ state: 'cancelled' });
  });

  it('wins over concurrent chunk progress and keeps it', async () => {
    let records = 0;
    const { cancel } = await jobRoutes(aParallelJob({ jobId }), async (jobs) => {
      if (records++ >= 3) return;
      await jobs.recordChunkProgress({ ...ref, leaseId: 'lease-1', chunk: records, percent: 100, ms: 900 });
    });
    expect(await cancel()).toMatchObject({ status: 200, body: { state: 'cancelled', progress: 73 } });
  });

  it('returns a job that is already cancelled without a second webhook', async () => {
    const { cancel, started } = await jobRoutes(aCancelledJob({ jobId }));
    expect(await cancel()).toMatchObject({ status: 200, body: { state: 'cancelled' } });
    expect(started).toEqual([]);
  });

  it.each([aCompletedJob({ jobId }), aFailedJob({ jobId }), aRejectedJob({ jobId })])(
    'is an error for a $state job',
    async (job) => {
      const { cancel, stored } = await jobRoutes(job);
      await expect(cancel()).rejects.toMatchObject({ code: 'JOB_NOT_CANCELLABLE' });
      expect(await stored()).toEqual(job);
    },
  );

  it('wins over a concurrent lease renewal', async () => {
    let beats = 0;
    const { cancel, stored } = await jobRoutes(aProcessingJob({ jobId }), async (jobs) => {
      const job = await jobs.get(ref);
      if (job?.state !== 'processing' || beats++ >= 3) return;
      await jobs.write(heartbeat(job, { stage: 'transcoding', progress: 30 + beats, now: later(beats) }));
    });
    expect(await cancel()).toMatchObject({ status: 200, body: { state: 'cancelled', progress: 33 } });
    expect(await stored()).toMatchObject({ state: 'cancelled' });
  });

  it('loses to a worker that completes concurrently', async () => {
    const { cancel, stored } = await jobRoutes(aProcessingJob({ jobId }), async (jobs) => {
      const job = await jobs.get(ref);
      if (job?.state !== 'processing') return;
      const ending = { now: later(4_000), webhookTarget: null, deliveryId: 'delivery-1' };
      await jobs.write(complete(job, { files: {}, filesExpireAt: later(9_000).toISOString() }, ending));
    });
    await expect(cancel()).rejects.toMatchObject({ code: 'JOB_NOT_CANCELLABLE' });
    expect(await stored()).toMatchObject({ state: 'completed' });
  });

  it('fails with a ConflictError if the record keeps changing', async () => {
    let beats = 0;
    const { cancel } = await jobRoutes(aProcessingJob({ jobId }), async (jobs) => {
      const job = await jobs.get(ref);
      if (job?.state !== 'processing') return;
      await jobs.write(heartbeat(job, { stage: 'transcoding', progress: 1, now: later(++beats) }));
    });
    await expect(cancel()).rejects.toThrow(ConflictError);
  });
});

describe('retrying', () => {
  it.each([aFailedJob({ jobId }), aRejectedJob({ jobId }), aCancelledJob({ jobId })])(
    'makes a new job of a $state one, and leaves it as it is',
    async (job) => {
      const { retry, stored, sent } = await jobRoutes(job);
      const { status, headers, body } = await retry();
      expect({ status, headers }).toEqual({
        status: 201,
        headers: { location: `/api/v1/jobs/${body.jobId}` },
      });
      expect(body).toMatchObject({ state: 'queued', retryOf: jobId, attempt: 0 });
      expect(await stored(body.jobId)).toMatchObject({ request: job.request, retryOf: jobId });
      expect(await stored()).toEqual(job);
      expect(sent).toEqual([body.jobId]);
    },
  );

  it.each([aFailedJob({ jobId }), aRejectedJob({ jobId }), aCancelledJob({ jobId })])(
    'keeps the content key of a $state job, which opens for the job that it was given with',
    async (job) => {
      const contentKey = { jobId: aJobId(7), encrypted: 'sealed' };
      const { retry, stored } = await jobRoutes({ ...job, contentKey });
      const { body } = await retry();
      expect(await stored(body.jobId)).toMatchObject({ retryOf: jobId, contentKey });
      expect(JSON.stringify(body)).not.toContain('sealed');
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
  const input = { storageProviderId, key: 'media/in.mp4' };
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
    ['has another prefix', { ...provider, prefix: 'other' }, ['input.key']],
    [
      'has a longer prefix',
      { ...provider, prefix: `media/${'\u{1f39e}'.repeat(250)}` },
      ['input.key', 'output.key'],
    ],
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

describe('the answer to a key', () => {
  const request = { ...aQueuedJob().request, metadata: { customer: 'of the author' } };
  const keyed = (keyId: string, scopes: readonly Scope[]): Principal => ({
    ownerId: ref.ownerId,
    caller: 'key',
    key: { ...ref, keyId, hash: '', limits: {}, scopes: [...scopes] },
  });

  it.each([
    ['the author', keyed('key-1', ['jobs:write']), true],
    ['another key that reads jobs', keyed('key-2', ['jobs:write', 'jobs:read']), true],
    ['another key that does not', keyed('key-2', ['jobs:write']), false],
  ])('has the request and the metadata of a job for %s', async (_, principal, isShown) => {
    const shown = isShown ? [{ mode: 'recipe' }, request.metadata] : [undefined, undefined];
    const contentOf = (body: { request?: object; metadata?: object | undefined }) => [
      body.request,
      body.metadata,
    ];
    const { cancel, retry } = await jobRoutes({ ...aQueuedJob({ jobId, request }), authorKeyId: 'key-1' });
    const answers = [await cancel(principal), await cancel(principal), await retry('1', jobId, principal)];
    for (const { body } of answers) expect(contentOf(body)).toMatchObject(shown);
  });

  it('has no request of a retry that the key made of a job that it cannot read', async () => {
    const { retry, stored } = await jobRoutes(aFailedJob({ jobId, request, authorKeyId: 'key-1' }));
    const { body } = await retry(undefined, jobId, keyed('key-2', ['jobs:write']));
    expect(await stored(body.jobId)).toMatchObject({ request, authorKeyId: 'key-1' });
  });
});

describe('deleting', () => {
  it.each([
    aCompletedJob({ jobId }),
    aFailedJob({ jobId }),
    aRejectedJob({ jobId }),
    aCancelledJob({ jobId }),
  ])('leaves a tombstone of a $state job that is due for reconcile at once', async (job) => {
    const { remove, stored } = await jobRoutes(job);
    expect(await remove()).toEqual({ status: 204 });
    expect(await stored()).toMatchObject({ state: 'deleted', dueAt: later(5_000).toISOString() });
  });

  it.each([aQueuedJob({ jobId }), aProcessingJob({ jobId })])('is an error for a $state job', async (job) => {
    const { remove, stored } = await jobRoutes(job);
    await expect(remove()).rejects.toMatchObject({ code: 'JOB_NOT_TERMINAL' });
    expect(await stored()).toEqual(job);
  });

  it('subtracts the job from the usage, whether its delivery has ended or not', async () => {
    for (const usageCounted of [false, true]) {
      const caller = 'key-1';
      const ended = aCompletedJob({ jobId, caller, usageCounted: false });
      const { remove, count, usage } = await jobRoutes(ended, (table) =>
        table.write({ job: { ...ended, usageCounted }, guard: { state: 'completed' } }),
      );
      const counter = usageRefOf(ended);
      expect(counter.group).toEqual({ caller, recipe: 'compress' });
      await count(ended);
      expect(await usage.read(counter)).toMatchObject({
        jobs: { completed: 1 },
        mediaMs: 10_000,
        outputBytes: 1_250_000,
      });
      await remove();
      expect(await usage.read(counter)).toMatchObject({ jobs: { completed: 0 }, mediaMs: 0, outputBytes: 0 });
    }
  });

  it('succeeds if the usage cannot be written', async () => {
    const { remove, stored, usage } = await jobRoutes(aCompletedJob({ jobId, usageCounted: true }));
    usage.write = async () => {
      throw new Error('the table failed');
    };
    expect(await remove()).toEqual({ status: 204 });
    expect(await stored()).toMatchObject({ state: 'deleted', usage: { state: 'completed' } });
  });

  it('is NOT_FOUND the second time, in every route', async () => {
    const { remove, retry, cancel } = await jobRoutes(aFailedJob({ jobId }));
    await remove();
    for (const route of [remove, retry, cancel]) {
      await expect(route()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
  });
});
