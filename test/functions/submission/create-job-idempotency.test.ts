import { describe, expect, it } from 'vitest';
import { deleteJob } from '../../../core/jobs/removal-transitions.ts';
import { cancel } from '../../../core/jobs/termination.ts';
import { claim } from '../../../core/jobs/transitions.ts';
import { aCreateJobRoute, failed } from '../../builders/http/create-job-route.ts';
import { later, start } from '../../builders/jobs/jobs.ts';
import { aStorageProvider } from '../../builders/storage/a-storage-provider.ts';

describe('an Idempotency-Key', () => {
  it('replays the first response with Idempotent-Replayed', async () => {
    const { post, list, clock } = aCreateJobRoute();
    const first = await post({}, 'key-1');
    clock.pass(5_000);
    const again = await post({}, 'key-1');
    expect(again).toEqual({ ...first, headers: { ...first.headers, 'idempotent-replayed': 'true' } });
    expect(await list()).toHaveLength(1);
  });

  it('accepts the same body with another order of fields', async () => {
    const { post, list } = aCreateJobRoute();
    await post({ metadata: { a: '1', b: '2' } }, 'key-1');
    await post({ metadata: { b: '2', a: '1' } }, 'key-1');
    expect(await list()).toHaveLength(1);
  });

  it('rejects another body', async () => {
    const { post } = aCreateJobRoute();
    await post({}, 'key-1');
    await expect(post({ metadata: { a: '1' } }, 'key-1')).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
  });

  it('is scoped to its owner', async () => {
    const { post, list } = aCreateJobRoute();
    await post({}, 'key-1');
    await post({ metadata: { a: '1' } }, 'key-1', 'owner-2');
    expect(await list('owner-2')).toHaveLength(1);
  });

  it('expires after 24 hours', async () => {
    const { post, list, clock } = aCreateJobRoute();
    const day = 24 * 3_600_000;
    await post({}, 'key-1');
    clock.pass(day - 1_000);
    await post({}, 'key-1');
    expect(await list()).toHaveLength(1);
    clock.pass(2_000);
    await post({ metadata: { a: '1' } }, 'key-1');
    expect(await list()).toHaveLength(2);
  });

  it('makes one job of concurrent requests', async () => {
    const { post, list } = aCreateJobRoute();
    const answers = await Promise.all(Array.from({ length: 10 }, () => post({}, 'key-1')));
    expect(new Set(answers.map(({ body: { jobId } }) => jobId)).size).toBe(1);
    expect(await list()).toHaveLength(1);
  });

  it('completes what a failed write left undone', async () => {
    const { post, list, sent, broken } = aCreateJobRoute();
    broken.write = true;
    await expect(post({}, 'key-1')).rejects.toBe(failed);
    broken.write = false;
    const { body: answered } = await post({}, 'key-1');
    expect(await list()).toMatchObject([{ jobId: answered.jobId, state: 'queued' }]);
    expect(sent).toEqual([answered.jobId]);
  });

  it('sends the message that the first request could not send', async () => {
    const { post, list, sent, broken } = aCreateJobRoute();
    broken.send = true;
    const { body: answered } = await post({}, 'key-1');
    expect(sent).toEqual([]);
    broken.send = false;
    await post({}, 'key-1');
    expect([sent, (await list()).length]).toEqual([[answered.jobId], 1]);
  });

  it('sets the due time of a job that only its replay wrote from the time of the replay', async () => {
    const { post, list, broken, clock } = aCreateJobRoute();
    broken.write = true;
    await expect(post({}, 'key-1')).rejects.toBe(failed);
    broken.write = false;
    clock.pass(7_200_000);
    const { body } = await post({}, 'key-1');
    expect(body).toMatchObject({ createdAt: start.toISOString(), updatedAt: start.toISOString() });
    const [queuedAt, dueAt] = [later(7_200_000).toISOString(), later(7_250_000).toISOString()];
    expect(await list()).toMatchObject([{ createdAt: body.createdAt, queuedAt, dueAt }]);
  });

  it('replays the response for a job that is no longer queued, without a message', async () => {
    const { table, post, list, queued, sent } = aCreateJobRoute();
    const first = await post({}, 'key-1');
    await table.write(claim(await queued(), 'lease-1', later(1_000)));
    expect((await post({}, 'key-1')).body).toEqual(first.body);
    expect(sent).toHaveLength(1);
    expect(await list()).toMatchObject([{ state: 'processing' }]);
  });

  it('replays the first response after the storage provider was removed, without a job there', async () => {
    const { post, list, providers } = aCreateJobRoute();
    const provider = aStorageProvider();
    const body = { output: { format: 'mp4', storageProviderId: provider.storageProviderId } } as const;
    await providers.create(provider);
    const first = await post(body, 'key-1');
    await providers.remove(provider);
    const again = await post(body, 'key-1');
    expect(again).toEqual({ ...first, headers: { ...first.headers, 'idempotent-replayed': 'true' } });
    const details = [{ path: 'output.storageProviderId' }];
    for (const key of [undefined, 'key-2']) await expect(post(body, key)).rejects.toMatchObject({ details });
    await expect(post({ ...body, metadata: {} }, 'key-1')).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    expect(await list()).toHaveLength(1);
  });

  it('does not recreate a deleted job', async () => {
    const { table, post, list, queued } = aCreateJobRoute();
    await post({}, 'key-1');
    const { job: cancelled, guard } = cancel(await queued(), {
      now: later(1_000),
      webhookTarget: null,
      deliveryId: 'd',
    });
    await table.write({ job: cancelled, guard });
    await table.write(deleteJob(cancelled, later(2_000)));
    expect((await post({}, 'key-1')).status).toBe(201);
    expect(await list()).toEqual([]);
  });
});
