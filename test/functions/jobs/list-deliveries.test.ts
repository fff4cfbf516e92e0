import { describe, expect, it } from 'vitest';
import type { Principal } from '../../../core/access/authentication.ts';
import type { Scope } from '../../../core/access/scopes.ts';
import { listDeliveriesContract } from '../../../core/api/deliveries.ts';
import type { AttemptOutcome } from '../../../core/jobs/attempt-outcome.ts';
import { listDeliveries } from '../../../functions/jobs/deliveries.ts';
import { aDeliveryAttempt } from '../../builders/jobs/a-delivery-attempt.ts';
import { aFailedJob } from '../../builders/jobs/ended-jobs.ts';
import { aRouteRequest, webhookRouteDeps } from '../../builders/webhook-routes.ts';

const { ownerId, jobId } = aFailedJob();
const request = aRouteRequest({ params: { id: jobId } });

const outcome: AttemptOutcome = {
  delivered: false,
  endedAt: '2026-03-01T12:01:00.400Z',
  latencyMs: 92,
  status: 503,
  address: '93.184.215.14',
  errorClass: 'http-status',
  error: 'receiver.example answered 503 Service Unavailable',
  responseBody: 'upstream is down',
};

const anAttempt = (attempt: number, deliveryId = 'delivery-1') => aDeliveryAttempt({ attempt, deliveryId });

describe('the list of deliveries', () => {
  it('has time, target and outcome of every attempt', async () => {
    const deps = await webhookRouteDeps([aFailedJob()]);
    await deps.journal.open(anAttempt(1));
    await deps.journal.close({ ...anAttempt(1), outcome });
    const { body } = await listDeliveries(deps)(request);
    const { delivered: _, ...facts } = outcome;
    expect(body.deliveries).toEqual([
      {
        deliveryId: 'delivery-1',
        attempt: 1,
        state: 'failed',
        url: 'https://receiver.example/hook',
        startedAt: '2026-03-01T12:01:00.300Z',
        ...facts,
      },
    ]);
    expect(listDeliveriesContract.responses[200].schema.parse(body)).toEqual(body);
  });

  it('has the outcome that the job has of the attempt which delivered its webhook, and an attempt in progress', async () => {
    const delivered = { delivered: true, status: 204, latencyMs: 8, endedAt: '2026-03-01T12:01:00.400Z' };
    const deliveredAttempt = { deliveryId: 'delivery-1', attempt: 2, outcome: delivered };
    const deps = await webhookRouteDeps([{ ...aFailedJob(), deliveredAttempt }]);
    await deps.journal.open(anAttempt(1));
    await deps.journal.close({ ...anAttempt(1), outcome });
    await deps.journal.open(anAttempt(2));
    await deps.journal.open(anAttempt(2, 'delivery-2'));
    const { body } = await listDeliveries(deps)(request);
    expect(body.deliveries).toMatchObject([
      { attempt: 1, state: 'failed', status: 503 },
      { attempt: 2, state: 'delivered', status: 204, latencyMs: 8 },
      { deliveryId: 'delivery-2', state: 'pending', endedAt: null },
    ]);
  });

  it('has the payload of an ended job, for a caller that may read the job', async () => {
    const deps = await webhookRouteDeps([aFailedJob()]);
    const payloadFor = async (principal: Principal = request.principal) =>
      (await listDeliveries(deps)({ ...request, principal })).body.payload;
    const grant = { ownerId, keyId: 'key-1', hash: '', limits: {} };
    const aKey = (scopes: Scope[]): Principal => ({ ownerId, caller: 'key', key: { ...grant, scopes } });
    expect(await payloadFor()).toMatchObject({ data: { jobId, state: 'failed' }, timestamp: expect.any(Number) });
    expect(await payloadFor(aKey(['deliveries', 'jobs:read']))).toBeDefined();
    expect(await payloadFor(aKey(['deliveries']))).toBeUndefined();
  });

  it('is sorted by delivery and attempt and has at most the last 200', async () => {
    const deps = await webhookRouteDeps([aFailedJob()]);
    const redelivery = (n: number) => `redelivery-${String(n).padStart(3, '0')}`;
    for (let n = 0; n < 201; n++) await deps.journal.open(anAttempt(1, redelivery(n)));
    const { body } = await listDeliveries(deps)(request);
    expect(body.deliveries).toHaveLength(200);
    expect(body.deliveries.map(({ deliveryId }) => deliveryId)).toEqual(
      Array.from({ length: 200 }, (_, index) => redelivery(index + 1)),
    );
  });

  it('is NOT_FOUND for another owner’s job, as for an unknown one', async () => {
    const deps = await webhookRouteDeps([aFailedJob()]);
    const foreign = listDeliveries(deps)(aRouteRequest({ ownerId: 'owner-2', params: { id: jobId } }));
    await expect(foreign).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
