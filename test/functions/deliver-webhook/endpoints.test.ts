import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import type { WebhookEndpoint } from '../../../core/settings/owner-settings.ts';
import { jobsTo } from '../../../core/webhooks/delivery.ts';
import { reconcile } from '../../../functions/reconcile/app.ts';
import { anHttpServer } from '../../adapters/http/builders/servers.ts';
import { aCompletedJob } from '../../builders/jobs/ended-jobs.ts';
import { aRequest } from '../../builders/jobs/jobs.ts';
import { reconcileDeps } from '../../builders/jobs/reconcile-deps.ts';
import { aDeliveryStage } from './delivery-stage.ts';

const idOf = (n: number) => `we_${String(n).padStart(32, '0')}`;
const secretOf = (n: number) => `whsec_${Buffer.alloc(32, n).toString('base64')}`;

type Received = { path: string; headers: IncomingMessage['headers']; body: string };

/** A job with a target, endpoints below the same origin, and a receiver that answers each path with a status. */
async function aJobWithEndpoints(endpoints: Partial<WebhookEndpoint>[], statuses: Record<string, number> = {}) {
  const received: Received[] = [];
  const port = await anHttpServer(async (request, response) => {
    const path = request.url ?? '';
    received.push({ path, headers: request.headers, body: await text(request) });
    response.writeHead(statuses[path] ?? 204).end();
  });
  const base = `http://127.0.0.1:${port}`;
  const job = aCompletedJob({
    webhookTarget: `${base}/target`,
    request: { ...aRequest, metadata: { order: '17', site: 'a' } },
    filesExpireAt: new Date(Date.now() + 86_400_000).toISOString(),
  });
  const stage = await aDeliveryStage({ job });
  const list = endpoints.map((endpoint, index) => ({
    ...{ id: idOf(index), url: `${base}/${index}`, disabled: false, secret: secretOf(index) },
    ...{ createdAt: job.completedAt, ...endpoint },
  }));
  const set = (version: number, changed: WebhookEndpoint[]) =>
    stage.settings.replaceEndpoints(job.ownerId, { version, list: changed });
  await set(1, list);
  const paths = () => received.map(({ path }) => path);
  return { ...stage, job, received, paths, list, set };
}

it('each endpoint that wants the event gets it after the target, under its own id and secret', async () => {
  const filters: Partial<WebhookEndpoint>[] = [
    {},
    { states: ['failed', 'completed'], metadata: { order: '17' } },
    ...[{ states: ['failed' as const] }, { metadata: { order: '17', site: 'b' } }, { disabled: true }],
  ];
  const { begin, sent, deliverSent, received, paths, job, published, record, attempts } =
    await aJobWithEndpoints(filters);
  await begin();
  expect([paths(), sent.length]).toEqual([['/target'], 2]);
  expect([(await deliverSent()).status, (await deliverSent()).status]).toEqual(['settled', 'settled']);
  expect(paths().slice(1).toSorted()).toEqual(['/0', '/1']);
  expect(new Set(received.map(({ headers }) => headers['webhook-id']))).toEqual(
    new Set([`evt_${job.jobId}`, `evt_${job.jobId}.${idOf(0)}`, `evt_${job.jobId}.${idOf(1)}`]),
  );
  for (const { path, headers, body } of received.slice(1)) {
    const verify = (n: number) => new Webhook(secretOf(n)).verify(body, headers as Record<string, string>);
    expect(verify(Number(path.slice(1)))).toMatchObject({ data: { jobId: job.jobId } });
    expect(() => verify(9)).toThrow();
  }
  expect(await record()).toMatchObject({ deliveryOutcome: 'delivered' });
  expect([published.length, (await attempts()).length]).toEqual([1, 3]);
});

it('a failing endpoint has all of its attempts, and neither delays nor changes the others', async () => {
  const statuses = { '/target': 503, '/0': 503 };
  const { begin, attempt, deliverSent, paths, record, ports, job, clock } = await aJobWithEndpoints([{}, {}], statuses);
  expect((await begin()).status).toBe('retry');
  await deliverSent();
  await deliverSent();
  expect(paths().toSorted()).toEqual(['/0', '/0', '/0', '/1', '/target']);
  expect(await record()).toMatchObject({ pendingDelivery: { redelivery: false } });
  const of = async (n: number) => jobsTo(idOf(n), ports).get(job);
  expect([await of(0), await of(1)]).toMatchObject([
    { deliveryOutcome: 'abandoned' },
    { deliveryOutcome: 'delivered' },
  ]);
  clock.pass(1_000);
  await attempt(2);
  await attempt(3);
  expect(await record()).toMatchObject({ deliveryOutcome: 'abandoned' });
  expect(paths()).toHaveLength(7);
});

it('an endpoint that is removed or disabled gets no further attempt', async () => {
  const { begin, sent, ports, clock, paths, list, set, job } = await aJobWithEndpoints([{}, {}], {
    '/0': 503,
    '/1': 503,
  });
  await begin();
  const { deliverWebhook } = await import('../../../functions/deliver-webhook/app.ts');
  const to = deliverWebhook(ports);
  for (const delivery of sent) await to({ ...delivery, attempt: 1, notBefore: 0 });
  const [, second] = list;
  await set(2, second === undefined ? [] : [{ ...second, disabled: true }]);
  clock.pass(1_000);
  for (const delivery of sent) expect((await to({ ...delivery, attempt: 2, notBefore: 0 })).status).toBe('settled');
  expect(paths().toSorted()).toEqual(['/0', '/1', '/target']);
  expect(await jobsTo(idOf(0), ports).get(job)).toMatchObject({ deliveryOutcome: 'none' });
});

it('a function that dies after the first attempt leaves the endpoints to the second', async () => {
  const stage = await aJobWithEndpoints([{}]);
  const { ports, attempt, deliverSent, paths } = stage;
  const { endpointDeliveries } = ports;
  const dying = { ...endpointDeliveries, write: async () => Promise.reject(new Error('killed')) };
  Object.assign(ports, { endpointDeliveries: dying });
  await expect(attempt(1)).rejects.toThrow('killed');
  Object.assign(ports, { endpointDeliveries });
  expect((await attempt(2)).status).toBe('settled');
  await deliverSent();
  expect(paths()).toEqual(['/target', '/target', '/0']);
});

it('reconcile resumes a delivery to an endpoint that was not sent', async () => {
  const { begin, sent, ports, clock, journal, jobs, settings, deliverSent, paths } = await aJobWithEndpoints([{}]);
  const [lost] = [{ ...ports, deliveries: { send: async () => Promise.reject(new Error('the queue failed')) } }];
  Object.assign(ports, lost);
  await begin();
  const { endpointDeliveries } = ports;
  const steps: string[] = [];
  const deps = reconcileDeps({
    ...{ jobs, journal, settings, clock, endpointDeliveries },
    deliveries: { send: async (delivery) => void sent.push(delivery) },
    onStep: (_, step) => steps.push(step),
  });
  clock.pass(5 * 60_000);
  await reconcile(deps)(new Date(clock.now().getTime() + 60_000));
  expect([steps, sent.length]).toEqual([['delivery-resumed'], 1]);
  await deliverSent();
  expect(paths()).toEqual(['/target', '/0']);
});
