// @module-tag webhooks
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { DeliveryResource } from '../../core/api/deliveries.ts';
import { aNetworkStage, type Endpoints, type NetworkStage } from './network-stage.ts';

const atListed = (path: string) => (at: Endpoints) => `http://${at.listed}${path}`;
const atName = (name: string) => (at: Endpoints) => `http://${name}:${at.inside}/hook`;

/** The result of the webhook test for a target. */
const targets: [name: string, url: (at: Endpoints) => string, result: { ok: boolean; status: number }][] = [
  ['a private name', atName('private.test'), { ok: false, status: 502 }],
  ['a name of the metadata service', atName('metadata.test'), { ok: false, status: 502 }],
  ['a name with a public and a private address', atName('mixed.test'), { ok: false, status: 502 }],
  ['a name of the listed address, at another port', atName('listed.test'), { ok: false, status: 502 }],
  ['an unknown name', atName('unknown.test'), { ok: false, status: 502 }],
  ['a redirect', atListed('/redirect?to=/text'), { ok: false, status: 302 }],
  ['a redirect to a private name', atListed('/redirect?to=http://private.test/'), { ok: false, status: 302 }],
  ['a redirect loop', atListed('/loop'), { ok: false, status: 307 }],
  ['an endless body', atListed('/endless'), { ok: true, status: 200 }],
  ['endless headers', atListed('/endless-headers'), { ok: false, status: 502 }],
  ['another protocol', atListed('/no-http'), { ok: false, status: 502 }],
  ['half an answer', atListed('/half'), { ok: true, status: 200 }],
  ['a good answer', atListed('/text'), { ok: true, status: 200 }],
];

let world: NetworkStage;
beforeAll(async () => {
  world = await aNetworkStage();
});
afterAll(() => world?.stop());

describe('a webhook target that is', () => {
  it.each(targets)('%s has its status in the test result', async (_, url, result) => {
    const before = world.hostile.requests.length;
    const set = { defaultWebhookUrl: url(world.at) };
    expect(await world.api('PUT', '/api/v1/settings', set)).toMatchObject({ status: 200 });
    const { status, body } = await world.api('POST', '/api/v1/settings/webhook/test');
    expect({ status, body }).toEqual({ status: 200, body: result });
    expect(world.hostile.requests.length - before).toBeLessThanOrEqual(1);
    expect(world.inside.connections()).toBe(0);
  });
});

describe('the webhook of a job', () => {
  it('to a name that has become private is attempted three times and connects to nothing', async () => {
    const webhookUrl = atName('private.test')(world.at);
    const jobId = await world.submit(atListed('/missing')(world.at), { webhookUrl });
    const attempts = await vi.waitFor(
      async () => {
        const { body } = await world.api('GET', `/api/v1/jobs/${jobId}/deliveries`);
        const { deliveries } = body as { deliveries: DeliveryResource[] };
        expect(deliveries.map(({ state }) => state)).toEqual(['failed', 'failed', 'failed']);
        return deliveries;
      },
      { timeout: 30_000, interval: 50 },
    );
    for (const attempt of attempts) {
      expect(attempt).toMatchObject({
        errorClass: 'address-forbidden',
        error: 'private.test leads to an address that is not public',
      });
      expect(attempt.address).toBeUndefined();
    }
    expect(world.inside.connections()).toBe(0);
  });
});
