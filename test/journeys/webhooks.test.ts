// @module-tag webhooks
import { aWebServer, type ReceivedRequest, type WebServer } from '@media-jobs/testing/web-server';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { jobTable } from '../../adapters/dynamodb/job-table.ts';
import type { DeliveryResource } from '../../core/api/deliveries.ts';
import { isTerminal } from '../../core/jobs/record.ts';
import { busEventDetailSchema } from '../../core/webhooks/delivery.ts';
import { webhookPayloadSchema } from '../../core/webhooks/payload.ts';
import { withStageTable } from '../../lib/local/stage-table.ts';
import { localOwnerId } from '../../lib/settings/local-owner.ts';
import { patience } from '../builders/stage/patience.ts';
import { aRunningStage, type RunningStage } from '../builders/stage/running-stage.ts';
import { submitJob } from '../builders/stage/submitted-jobs.ts';

let running: RunningStage;

beforeAll(async () => {
  running = await aRunningStage();
});

describe('a webhook', () => {
  it('that is rejected twice is delivered by the third attempt, and no attempt is early', async () => {
    const customer = await aCustomer({ failures: 2 });
    const jobId = await submit(customer);
    const webhooks = await customer.seen(3, '/hook');
    const [first, second, third] = await attemptsOf(jobId, (attempts) => attempts.at(-1)?.state === 'delivered');

    expect(gap(first, second)).toBeGreaterThanOrEqual(500);
    expect(gap(second, third)).toBeGreaterThanOrEqual(1_000);
    expect(new Set(webhooks.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([`evt_${jobId}`]));
    expect(first).toMatchObject({ state: 'failed', status: 503, errorClass: 'http-status', responseBody: 'not now' });
    expect(third).toMatchObject({ state: 'delivered', status: 200, address: '127.0.0.1' });
  });

  it('is abandoned after three failures, and redelivered on request under the same id', async () => {
    const customer = await aCustomer({ failures: 3 });
    const jobId = await submit(customer);
    await settledAs(jobId, 'abandoned');

    const answer = await running.api('POST', `/api/v1/jobs/${jobId}/deliveries`);
    expect(answer).toMatchObject({ status: 202, body: { deliveryId: expect.any(String) } });
    await settledAs(jobId, 'delivered');

    const webhooks = await customer.seen(4, '/hook');
    expect(new Set(webhooks.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(webhooks.map(({ body }) => body)).size).toBe(1);
    const attempts = await attemptsOf(jobId, ({ length }) => length === 4);
    expect(attempts.map(({ state }) => state)).toEqual(['failed', 'failed', 'failed', 'delivered']);
    expect(eventsOf(jobId)).toHaveLength(1);
  });

  it('whose retries could not be started is resumed by reconcile with the second attempt', async () => {
    const customer = await aCustomer({ failures: 1 });
    const { calls, resetCalls, faults } = running.stage;
    resetCalls();
    const mend = faults.fail({ service: 'sfn', operation: 'StartExecution', kind: 'error' });
    const jobId = await submit(customer);
    // The client makes four attempts, and the table's stream repeats the event.
    await vi.waitFor(() => expect(calls().sfn.StartExecution).toBeGreaterThanOrEqual(4), patience);
    mend();
    await makeDue(jobId);
    await running.stage.invoke('media-jobs-local-reconcile', {});
    await settledAs(jobId, 'delivered');
    const attempts = await attemptsOf(jobId, ({ length }) => length === 2);
    expect(attempts.map(({ state }) => state)).toEqual(['failed', 'delivered']);
  });

  it('of every job during an outage is recovered in bulk by reconcile', async () => {
    const since = new Date().toISOString();
    const customer = await aCustomer({ failures: 9 });
    const jobIds = await Promise.all([submit(customer), submit(customer), submit(customer)]);
    for (const jobId of jobIds) await settledAs(jobId, 'abandoned');

    const window = { since, until: new Date(Date.now() + 1_000).toISOString() };
    const recover = () => running.api('POST', '/api/v1/deliveries/recover', window);
    expect(await recover()).toMatchObject({ status: 202, body: { recovered: 3, nextCursor: null } });
    expect(await recover()).toMatchObject({ status: 202, body: { recovered: 0, nextCursor: null } });

    for (const jobId of jobIds) await makeDue(jobId);
    await running.stage.invoke('media-jobs-local-reconcile', {});
    for (const jobId of jobIds) await settledAs(jobId, 'delivered');
    expect(await customer.seen(12, '/hook')).toHaveLength(12);
  });

  it('without a target is not sent: the event is published, and nothing stays due', async () => {
    const customer = await aCustomer();
    const jobId = await submit(customer, { webhook: false });
    await settledAs(jobId, 'none');
    await vi.waitFor(() => expect(eventsOf(jobId)).toHaveLength(1), patience);

    const [event] = eventsOf(jobId);
    expect(event).toMatchObject({ source: 'media-jobs', detailType: 'Job Rejected', detail: { jobId } });
    expect(busEventDetailSchema.parse(event?.detail)).toEqual(event?.detail);
    expect(await running.api('GET', `/api/v1/jobs/${jobId}/deliveries`)).toMatchObject({ body: { deliveries: [] } });
    expect(await recordOf(jobId)).not.toHaveProperty('dueAt');
    expect(await running.api('POST', `/api/v1/jobs/${jobId}/deliveries`)).toMatchObject({
      status: 400,
      body: { error: { code: 'WEBHOOK_NOT_CONFIGURED' } },
    });
  });
});

describe('the default webhook', () => {
  it('is tested with a signed sample in the shape of a real event', async () => {
    const test = () => running.api('POST', '/api/v1/settings/webhook/test');
    expect(await test()).toMatchObject({ status: 400, body: { error: { code: 'WEBHOOK_NOT_CONFIGURED' } } });

    const customer = await aCustomer();
    await setDefault(`${customer.origin}/hook`);
    expect(await test()).toMatchObject({ status: 200, body: { ok: true, status: 200 } });
    const [sample] = await customer.seen(1, '/hook');
    expect(webhookPayloadSchema.parse(JSON.parse(sample?.body ?? '')).data.jobId).toMatch(/^test_/);

    await customer.close();
    expect(await test()).toMatchObject({ status: 200, body: { ok: false, status: 502 } });
    await setDefault(null);
  });

  it('receives the events of jobs without a webhook of their own', async () => {
    const [byDefault, own] = [await aCustomer(), await aCustomer()];
    await setDefault(`${byDefault.origin}/hook`);
    const first = await submit(own, { webhook: false });
    const second = await submit(own);
    await settledAs(first, 'delivered');
    await settledAs(second, 'delivered');
    expect(deliveredTo(byDefault.requests)).toEqual([first]);
    expect(deliveredTo(own.requests)).toEqual([second]);
    await setDefault(null);
  });
});

/** A customer whose input is missing, so that jobs are rejected at once, and whose `/hook` rejects this many webhooks. */
function aCustomer({ failures = 0 } = {}): Promise<WebServer> {
  return aWebServer(({ path }, response, before) => {
    if (path !== '/hook') response.writeHead(404).end();
    else if (before.length < failures) response.writeHead(503).end('not now');
    else response.writeHead(200).end();
  });
}

async function submit({ origin }: WebServer, { webhook = true } = {}): Promise<string> {
  const webhookUrl = webhook ? `${origin}/hook` : undefined;
  return (await submitJob(running.api, { input: { url: `${origin}/missing.mp4` }, webhookUrl })).jobId;
}

async function setDefault(url: string | null): Promise<void> {
  expect(await running.api('PUT', '/api/v1/settings', { defaultWebhookUrl: url })).toMatchObject({ status: 200 });
}

/** The attempts to deliver a job's webhook, once they match the condition. */
function attemptsOf(jobId: string, areWanted: (attempts: DeliveryResource[]) => boolean): Promise<DeliveryResource[]> {
  return vi.waitFor(async () => {
    const { body } = await running.api('GET', `/api/v1/jobs/${jobId}/deliveries`);
    const { deliveries } = body as { deliveries: DeliveryResource[] };
    expect(areWanted(deliveries)).toBe(true);
    return deliveries;
  }, patience);
}

/** Milliseconds from the end of one attempt to the beginning of the next. */
function gap(before: DeliveryResource | undefined, after: DeliveryResource | undefined): number {
  return Date.parse(after?.startedAt ?? '') - Date.parse(before?.endedAt ?? '');
}

function recordOf(jobId: string) {
  return withStageTable(running.stage, (client, tableName) =>
    jobTable(client, tableName).get({ ownerId: localOwnerId, jobId }),
  );
}

async function settledAs(jobId: string, deliveryOutcome: string): Promise<void> {
  await vi.waitFor(async () => {
    const job = await recordOf(jobId);
    expect(job).toMatchObject({ deliveryOutcome });
    expect(job).not.toHaveProperty('pendingDelivery');
  }, patience);
}

/** Lets a delivery that was recovered be due now rather than in a minute. */
async function makeDue(jobId: string): Promise<void> {
  await withStageTable(running.stage, async (client, tableName) => {
    const jobs = jobTable(client, tableName);
    const job = await jobs.get({ ownerId: localOwnerId, jobId });
    if (job === undefined || !isTerminal(job) || job.pendingDelivery === undefined)
      throw new Error('Nothing is pending');
    const dueAt = new Date(Date.now() - 1_000).toISOString();
    await jobs.write({ job: { ...job, dueAt }, guard: { deliveryId: job.pendingDelivery.id } });
  });
}

function eventsOf(jobId: string) {
  return running.stage.events().filter(({ detail }) => (detail as { jobId?: string }).jobId === jobId);
}

function deliveredTo(requests: readonly ReceivedRequest[]): string[] {
  return requests.filter(({ path }) => path === '/hook').map(({ body }) => JSON.parse(body).data.jobId);
}
