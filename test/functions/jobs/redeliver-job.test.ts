import { describe, expect, it } from 'vitest';
import { settleDelivery } from '../../../core/jobs/delivery-transitions.ts';
import type { JobRecord, TerminalJob } from '../../../core/jobs/record.ts';
import { deleteJob } from '../../../core/jobs/removal-transitions.ts';
import { redeliverJob } from '../../../functions/jobs/deliveries.ts';
import { callRoute } from '../../builders/http/call-route.ts';
import { aFailedJob, withSettledDelivery } from '../../builders/jobs/ended-jobs.ts';
import { aProcessingJob } from '../../builders/jobs/jobs.ts';
import { webhookRouteDeps } from '../../builders/webhook-routes.ts';

const target = 'https://own.example/hook';
const { request } = aFailedJob();
const abandoned = withSettledDelivery(aFailedJob({ request: { ...request, webhookUrl: target } }), 'abandoned');

async function redeliver(job: JobRecord, { defaultUrl = null as string | null, ownerId = 'owner-1' } = {}) {
  const deps = await webhookRouteDeps([job]);
  await deps.settings.change('owner-1', { defaultWebhookUrl: defaultUrl }, deps.clock.now());
  const post = (headers = {}) => callRoute(redeliverJob(deps), { ownerId, params: { id: job.jobId }, headers });
  const record = () => deps.jobs.get(job);
  return { ...deps, post, record };
}

describe('a redelivery', () => {
  it('becomes the pending delivery and starts at attempt 1', async () => {
    const { post, record, started } = await redeliver(abandoned);
    expect(await post()).toEqual({ status: 202, body: { deliveryId: 'id-1' } });
    expect(await record()).toMatchObject({
      webhookTarget: target,
      pendingDelivery: { id: 'id-1', starts: 0, redelivery: true },
      dueAt: '2026-03-01T13:01:00.000Z',
    });
    expect(started).toEqual([{ ownerId: 'owner-1', jobId: abandoned.jobId, deliveryId: 'id-1' }]);
  });

  it('to an endpoint has an id of its own, which names the endpoint, and leaves the delivery to the target alone', async () => {
    const { jobs, endpointDeliveries, settings, ...deps } = await redeliver(abandoned);
    const endpointId = `we_${'1'.repeat(32)}`;
    const { ownerId, jobId, state } = abandoned;
    const call = () =>
      callRoute(redeliverJob({ ...deps, jobs, endpointDeliveries, settings }), {
        params: { id: jobId },
        query: { endpointId },
      });
    await expect(call()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const done = { state, webhookTarget: 'https://a.example/', deliveryOutcome: 'abandoned' as const };
    await endpointDeliveries.write({ ownerId, jobId, endpointId }, done, { absent: true });
    expect(await call()).toMatchObject({ status: 202, body: { deliveryId: `id-2.${endpointId}` } });
    expect(deps.started).toEqual([{ ownerId, jobId, deliveryId: `id-2.${endpointId}` }]);
    expect(await jobs.get(abandoned)).toEqual(abandoned);
  });

  it('that is requested again while pending returns the same id and starts nothing', async () => {
    const { post, started } = await redeliver(abandoned);
    await post();
    expect(await post()).toEqual({ status: 202, body: { deliveryId: 'id-1' } });
    expect(started).toHaveLength(1);
  });

  it('that is replayed after it is settled has the first id and starts nothing', async () => {
    const { post, record, jobs, started } = await redeliver(abandoned);
    const headers = { 'idempotency-key': 'one' };
    const first = await post(headers);
    const job = (await record()) as TerminalJob;
    await jobs.write(settleDelivery(job, 'id-1', 'delivered'));
    expect(await post(headers)).toEqual({ ...first, headers: { 'idempotent-replayed': 'true' } });
    expect(started).toHaveLength(1);
    expect(await post({ 'idempotency-key': 'two' })).toMatchObject({ body: { deliveryId: 'id-3' } });
  });

  it('is one delivery for concurrent requests', async () => {
    const { post, started } = await redeliver(abandoned);
    const answers = await Promise.all(Array.from({ length: 10 }, () => post()));
    expect(new Set(answers.map(({ body }) => body.deliveryId)).size).toBe(1);
    expect(started).toHaveLength(1);
  });

  it('returns the id of the first delivery while that is pending', async () => {
    const { post } = await redeliver(aFailedJob());
    expect(await post()).toEqual({ status: 202, body: { deliveryId: 'delivery-1' } });
  });

  it('is rejected once the job has as many as its limit, with limit and use', async () => {
    const exhausted = { ...abandoned, redeliveries: 9 };
    const { post, record, jobs, started } = await redeliver(exhausted);
    await post();
    const pending = await record();
    if (pending?.state !== 'failed') throw new Error('The job has failed before');
    expect(pending.redeliveries).toBe(10);
    await jobs.write(settleDelivery(pending, 'id-1', 'delivered'));
    await expect(post()).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      details: [{ limit: 'maxRedeliveriesPerJob', value: 10, use: 10 }],
    });
    expect(started).toHaveLength(1);
  });

  it('goes to the current default for a job without a target', async () => {
    const job = withSettledDelivery(aFailedJob({ webhookTarget: 'https://old.example/' }), 'delivered');
    const { post, record } = await redeliver(job, { defaultUrl: 'https://new.example/' });
    await post();
    expect(await record()).toMatchObject({ webhookTarget: 'https://new.example/' });
  });

  it('replaces a pending delivery without a target, and its event is still published', async () => {
    const job = aFailedJob({ webhookTarget: null });
    const { post, record, jobs } = await redeliver(job, { defaultUrl: 'https://new.example/' });
    await post();
    expect(await record()).toMatchObject({ pendingDelivery: { id: 'id-1', redelivery: false } });
    expect(await jobs.write(settleDelivery(job, 'delivery-1', 'none'))).toMatchObject({ written: false });
  });

  it.each<[string, JobRecord, string, string]>([
    ['without any target', withSettledDelivery(aFailedJob(), 'none'), 'owner-1', 'WEBHOOK_NOT_CONFIGURED'],
    ['that has not ended', aProcessingJob(), 'owner-1', 'JOB_NOT_TERMINAL'],
    ['of another owner', abandoned, 'owner-2', 'NOT_FOUND'],
    ['that was deleted', deleteJob(abandoned, new Date()).job, 'owner-1', 'NOT_FOUND'],
  ])('of a job %s is an error', async (_, job, ownerId, code) => {
    const { post } = await redeliver(job, { ownerId });
    await expect(post()).rejects.toMatchObject({ code });
  });

  it('that could not be started is accepted: reconcile starts it', async () => {
    const deps = await redeliver(abandoned);
    const failures: unknown[] = [];
    const send = async () => Promise.reject(new Error('The queue is not there'));
    const ports = {
      ...deps,
      deliveries: { send },
      onDeliveryStartFailed: (_: unknown, cause: unknown) => failures.push(cause),
    };
    const answer = await callRoute(redeliverJob(ports), { params: { id: abandoned.jobId } });
    expect(answer.status).toBe(202);
    expect(failures).toHaveLength(1);
    expect(await deps.record()).toMatchObject({ pendingDelivery: { id: 'id-1' } });
  });
});
