import { describe, expect, it } from 'vitest';
import type { JobRecord, TerminalJob } from '../../../core/jobs/record.ts';
import { deleteJob, settleDelivery } from '../../../core/jobs/terminal-transitions.ts';
import { redeliverJob } from '../../../functions/api/app/redeliver-job.ts';
import { aFailedJob, withSettledDelivery } from '../../builders/jobs/ended-jobs.ts';
import { aProcessingJob } from '../../builders/jobs/jobs.ts';
import { aRouteRequest, webhookRouteDeps } from '../../builders/webhook-routes.ts';

const target = 'https://own.example/hook';
const { request } = aFailedJob();
const abandoned = withSettledDelivery(
  aFailedJob({ request: { ...request, webhookUrl: target } }),
  'abandoned',
);

async function redeliver(job: JobRecord, { defaultUrl = null as string | null, ownerId = 'owner-1' } = {}) {
  const office = await webhookRouteDeps([job]);
  await office.settings.setDefaultWebhookUrl('owner-1', defaultUrl, office.clock.now());
  const post = () => redeliverJob(office)(aRouteRequest({ ownerId, params: { id: job.jobId } }));
  const record = () => office.jobs.get(job);
  return { ...office, post, record };
}

describe('a redelivery', () => {
  it('becomes the pending delivery of the job and is started at its first attempt', async () => {
    const { post, record, started } = await redeliver(abandoned);
    expect(await post()).toEqual({ status: 202, body: { deliveryId: 'id-1' } });
    expect(await record()).toMatchObject({
      webhookTarget: target,
      pendingDelivery: { id: 'id-1', starts: 0, redelivery: true },
      dueAt: '2026-03-01T13:00:20.000Z',
    });
    expect(started).toMatchObject([{ name: 'wh-id-1-0', input: { deliveryId: 'id-1', attempt: 1 } }]);
  });

  it('that is asked for while it is pending answers with its own id and starts nothing', async () => {
    const { post, started } = await redeliver(abandoned);
    await post();
    expect(await post()).toEqual({ status: 202, body: { deliveryId: 'id-1' } });
    expect(started).toHaveLength(1);
  });

  it('is one for all who ask at the same time', async () => {
    const { post, started } = await redeliver(abandoned);
    const answers = await Promise.all(Array.from({ length: 10 }, post));
    expect(new Set(answers.map(({ body }) => body.deliveryId)).size).toBe(1);
    expect(started).toHaveLength(1);
  });

  it('answers with the first delivery while that one is pending', async () => {
    const { post } = await redeliver(aFailedJob());
    expect(await post()).toEqual({ status: 202, body: { deliveryId: 'delivery-1' } });
  });

  it('goes to the default of this moment for a job without a target of its own', async () => {
    const job = withSettledDelivery(aFailedJob({ webhookTarget: 'https://old.example/' }), 'delivered');
    const { post, record } = await redeliver(job, { defaultUrl: 'https://new.example/' });
    await post();
    expect(await record()).toMatchObject({ webhookTarget: 'https://new.example/' });
  });

  it('takes the place of a first delivery that would tell nobody, and its event is still published', async () => {
    const job = aFailedJob({ webhookTarget: null });
    const { post, record, jobs } = await redeliver(job, { defaultUrl: 'https://new.example/' });
    await post();
    expect(await record()).toMatchObject({ pendingDelivery: { id: 'id-1', redelivery: false } });
    expect(await jobs.write(settleDelivery(job, 'delivery-1', 'none'))).toMatchObject({ written: false });
  });

  it('is refused where there is nobody to tell', async () => {
    const { post } = await redeliver(withSettledDelivery(aFailedJob(), 'none'));
    await expect(post()).rejects.toMatchObject({ code: 'WEBHOOK_NOT_CONFIGURED' });
  });

  it('is refused before the job has ended', async () => {
    const { post } = await redeliver(aProcessingJob());
    await expect(post()).rejects.toMatchObject({ code: 'JOB_NOT_TERMINAL' });
  });

  it.each([
    ['of another owner', abandoned as JobRecord, 'owner-2'],
    ['that was deleted', deleteJob(abandoned as TerminalJob, new Date()).job, 'owner-1'],
  ])('of a job %s is refused like one of an unknown job', async (_, job, ownerId) => {
    const { post } = await redeliver(job, { ownerId });
    await expect(post()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('that could not be started is accepted all the same: reconcile starts it', async () => {
    const office = await redeliver(abandoned);
    const failures: unknown[] = [];
    const start = async () => Promise.reject(new Error('States is not there'));
    const ports = {
      ...office,
      deliveries: { start },
      onDeliveryStartFailed: (_: unknown, cause: unknown) => failures.push(cause),
    };
    const answer = await redeliverJob(ports)(aRouteRequest({ params: { id: abandoned.jobId } }));
    expect(answer.status).toBe(202);
    expect(failures).toHaveLength(1);
    expect(await office.record()).toMatchObject({ pendingDelivery: { id: 'id-1' } });
  });
});
