import { randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { aClosedPort } from '@media-jobs/testing/a-closed-port';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { postWebhook } from '../../../adapters/http/post-webhook.ts';
import type { PostLimits } from '../../../core/net/ports.ts';
import { webhookPayloadSchema } from '../../../core/webhooks/payload.ts';
import { testWebhook } from '../../../functions/settings/test-webhook.ts';
import { loopback } from '../../adapters/http/builders/networks.ts';
import { generous } from '../../adapters/http/builders/posts.ts';
import { anHttpServer } from '../../adapters/http/builders/servers.ts';
import { aRouteRequest, webhookRouteDeps } from '../../builders/webhook-routes.ts';

type Options = { webhookDeps?: ReturnType<typeof webhookRouteDeps>; limits?: Partial<PostLimits> };

async function testOf(url: string | null, { webhookDeps = webhookRouteDeps(), limits }: Options = {}) {
  const deps = await webhookDeps;
  deps.clock.pass(Date.now() - deps.clock.now().getTime());
  await deps.settings.change('owner-1', { defaultWebhookUrl: url }, deps.clock.now());
  const app = testWebhook({
    ...deps,
    tenancy: 'multi',
    randomBytes,
    userAgent: 'media-jobs/1.2.3',
    post: (request) =>
      postWebhook({ ...request, schemes: ['http'], reachable: loopback, limits: { ...generous, ...limits } }),
  });
  return { ...deps, result: app(aRouteRequest()) };
}

async function testAgainst(listener: RequestListener, options?: Options) {
  return testOf(`http://127.0.0.1:${await anHttpServer(listener)}/hook`, options);
}

describe('the test of the default webhook', () => {
  it('sends a payload that matches the webhook schema, is marked as a test, and is signed like every webhook', async () => {
    let body = '';
    let headers: Record<string, string> = {};
    const { result, settings } = await testAgainst(async (request, response) => {
      headers = request.headers as Record<string, string>;
      body = await text(request);
      response.end();
    });
    expect(await result).toEqual({ status: 200, body: { ok: true, status: 200 } });
    const payload = webhookPayloadSchema.parse(JSON.parse(body));
    expect(JSON.parse(body)).toEqual(payload);
    expect(payload.data.jobId).toMatch(/^test_/);
    expect(headers['webhook-id']).toMatch(/^evt_test_/);
    const secret = (await settings.get('owner-1')).signingSecrets?.current ?? '';
    expect(() => new Webhook(secret).verify(body, headers)).not.toThrow();
  });

  it('reports 502 for a forbidden address', async () => {
    const { result } = await testOf('http://169.254.169.254/latest/meta-data/');
    expect((await result).body).toEqual({ ok: false, status: 502 });
  });

  it('is an error without a default URL', async () => {
    const { result } = await testOf(null);
    await expect(result).rejects.toMatchObject({ code: 'WEBHOOK_NOT_CONFIGURED' });
  });

  it('runs once at a time per owner: a second one is 429 until the first has ended', async () => {
    const release = Promise.withResolvers<void>();
    const port = await anHttpServer(async (_request, response) => {
      await release.promise;
      response.end();
    });
    const url = `http://127.0.0.1:${port}/hook`;
    const webhookDeps = webhookRouteDeps();
    const results = [await testOf(url, { webhookDeps }), await testOf(url, { webhookDeps })].map(
      ({ result }) => result,
    );
    await expect(Promise.race(results)).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      retryAfterSeconds: 3,
      details: [{ value: 1, use: 1 }],
    });
    release.resolve();
    const statuses = (await Promise.allSettled(results)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual(['fulfilled', 'rejected']);
    const { result } = await testOf(url, { webhookDeps });
    expect((await result).body).toEqual({ ok: true, status: 200 });
  });

  it('is not blocked by a test whose function crashed ten seconds ago', async () => {
    const webhookDeps = webhookRouteDeps();
    const { concurrency } = await webhookDeps;
    const endsAt = new Date(Date.now() - 1);
    const now = new Date(endsAt.getTime() - 10_000);
    expect(await concurrency.enter({ limit: 'owner-1', name: 'crashed', endsAt }, { max: 1, now })).toBe(true);
    const { result } = await testOf(`http://127.0.0.1:${await aClosedPort()}/hook`, { webhookDeps });
    expect((await result).body).toEqual({ ok: false, status: 502 });
  });
});
