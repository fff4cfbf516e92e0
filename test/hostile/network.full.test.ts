// @module-tag sources
// @module-tag webhooks
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { DeliveryResource } from '../../core/api/deliveries.ts';
import { byAnswer, byName, byRedirect } from './hostile-inputs.ts';
import { aNetworkStage, type Endpoints, maxBytes, type NetworkStage } from './network-stage.ts';

// Slow inputs first: the others are processed while they time out.
const inputs = [...byAnswer, ...byName, ...byRedirect];

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
const jobs = new Map<string, string>();
beforeAll(async () => {
  world = await aNetworkStage();
  for (const { name, url } of inputs) jobs.set(name, await world.submit(url(world.at)));
});

/** How many requests the hostile server received for a host name. */
const requestsTo = (name: string) =>
  world.hostile.requests.filter(({ headers }) => headers.host?.startsWith(`${name}:`)).length;

describe('an input that passes the text checks', () => {
  it.each(inputs)('is rejected later: $name', async ({ name, code, message, retryable }) => {
    const { state, error } = await world.ended(jobs.get(name) ?? '');
    // What arrives whole is looked at: only then is it known to be no media.
    const stage = code === 'INPUT_NOT_MEDIA' ? 'probing' : 'downloading';
    expect({ state, error }).toEqual({
      state: 'rejected',
      error: { code, message: message(world.at), stage, retryable },
    });
  });

  it('never connects to the private service', async () => {
    for (const jobId of jobs.values()) await world.ended(jobId);
    expect(world.inside.connections()).toBe(0);
  });
});

it('inputs are rejected if their total size exceeds the limit', async () => {
  const url = `http://${world.at.listed}/padding`;
  const inputs = [{ url }, { url }];
  const job = await world.ended(await world.submit(url, { input: undefined, inputs, recipe: { name: 'concat' } }));
  const message = `inputs.1: With this file, the files of the job have more than ${maxBytes} bytes together`;
  expect(job).toMatchObject({ state: 'rejected', error: { code: 'INPUT_TOO_LARGE', message } });
});

describe('a rebound DNS name', () => {
  it.each(['rebinds-on-redirect.test', 'rebinds-on-resume.test'])(
    'is not followed beyond its first answer: %s',
    async (name) => {
      for (const jobId of jobs.values()) await world.ended(jobId);
      expect(requestsTo(name)).toBe(1);
    },
  );

  it('connects to the checked address without a second lookup', async () => {
    const jobId = await world.submit(`http://rebinds-at-once.test:${world.at.port}/text`);
    const job = await world.ended(jobId);
    expect(job).toMatchObject({ state: 'rejected', error: { code: 'INPUT_NOT_MEDIA', stage: 'probing' } });
    expect(requestsTo('rebinds-at-once.test')).toBe(1);
  });
});

it.each(targets)('a webhook target that is %s has its status in the test result', async (_, url, result) => {
  const before = world.hostile.requests.length;
  const set = { defaultWebhookUrl: url(world.at) };
  expect(await world.api('PUT', '/api/v1/settings', set)).toMatchObject({ status: 200 });
  const { status, body } = await world.api('POST', '/api/v1/settings/webhook/test');
  expect({ status, body }).toEqual({ status: 200, body: result });
  expect(world.hostile.requests.length - before).toBeLessThanOrEqual(1);
  expect(world.inside.connections()).toBe(0);
});

it('the webhook of a job to a name that has become private is attempted three times and connects to nothing', async () => {
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
