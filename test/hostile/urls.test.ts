// @module-tag sources
import type { Recipe } from '@media-jobs/video/recipes';
import { recipes } from '@media-jobs/video/recipes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aRequest } from '../builders/jobs/jobs.ts';
import { aClosedStage, type ClosedStage, listedAddress } from './closed-stage.ts';
import { privateHosts, rejectedUrls } from './hostile-urls.ts';
import type { RawAnswer } from './raw-request.ts';
import { expectRejection, invalid, invalidUrl, type Rejection } from './rejection.ts';

const privateHost = (address: string) => `The URL's host is the address ${address}, which is not public`;

const { recipe, ...unchanged } = aRequest;

/** Every field that takes a URL: its path, and a function that sends a request with the URL in it. */
const urlFields: [path: string, send: (url: string) => Promise<RawAnswer>][] = [
  ['input.url', (url) => post('/api/v1/jobs', { ...aRequest, input: { url } })],
  [
    'input.url',
    (url) => post('/api/v1/jobs', { ...unchanged, mode: 'pipeline', input: { url }, steps: [{ recipe }] }),
  ],
  ['webhookUrl', (url) => post('/api/v1/jobs', { ...aRequest, webhookUrl: url })],
  ['defaultWebhookUrl', (url) => post('/api/v1/settings', { defaultWebhookUrl: url })],
];

/** The URL fields of recipes with several inputs or assets. */
const recipeUrlFields = (recipes as readonly Recipe[]).flatMap((one): typeof urlFields => {
  const { name: _, ...parameters } = one.example.recipe;
  const request = { mode: 'recipe', ...one.example };
  const second = (url: string) => post('/api/v1/jobs', { ...request, inputs: [aRequest.input, { url }] });
  const asset = (parameter: string) => (url: string) =>
    post('/api/v1/jobs', {
      ...request,
      input: aRequest.input,
      recipe: { ...one.example.recipe, [parameter]: url },
    });
  return [
    ...(one.inputCount === undefined ? [] : [['inputs.1.url', second] as (typeof urlFields)[number]]),
    ...one.assets(parameters).map(({ name }): (typeof urlFields)[number] => [`recipe.${name}`, asset(name)]),
  ];
});

let world: ClosedStage;
beforeAll(async () => {
  world = await aClosedStage();
});
afterAll(() => world?.stop());

function post(target: string, body: object): Promise<RawAnswer> {
  return world.rawAs(world.alice.key, {
    method: 'POST',
    target,
    headers: [['Content-Type', 'application/json']],
    body: Buffer.from(JSON.stringify(body)),
  });
}

async function expectRejectedEverywhere(url: string, rejection: (path: string) => Rejection): Promise<void> {
  for (const [path, send] of urlFields) expectRejection(await send(url), rejection(path));
}

const hosts = Object.entries(privateHosts).flatMap(([address, spellings]) =>
  spellings.split(' ').map((host) => ({ host, address })),
);
const urls = Object.entries(rejectedUrls).flatMap(([message, rejected]) =>
  rejected.map((url) => ({ url, message })),
);

describe('the URL', () => {
  it.each(hosts)('http://$host/ is rejected as the address $address', async ({ host, address }) => {
    await expectRejectedEverywhere(`http://${host}/`, (path) => invalidUrl(path, privateHost(address)));
  });

  it.each(urls)('$url is rejected: $message', async ({ url, message }) => {
    await expectRejectedEverywhere(url, (path) => invalidUrl(path, message));
  });

  it.each(recipeUrlFields)('is checked in %s', async (path, send) => {
    expectRejection(await send('http://0x7f.1/'), invalidUrl(path, privateHost('127.0.0.1')));
    for (const [message, [url = '']] of Object.entries(rejectedUrls)) {
      expectRejection(await send(url), invalidUrl(path, message));
    }
  });

  it('of 2,049 characters is rejected', async () => {
    const url = `https://example.com/${'a'.repeat(2_029)}`;
    const message = 'Must have at most 2048 characters';
    await expectRejectedEverywhere(url, (path) => invalid(path, message));
  });

  it.each(['upload://', 'upload://../../etc/passwd', 'upload://a/b', 'UPLOAD://a', 'upload:a'])(
    '%s is no upload of anybody',
    async (url) => {
      const message = 'This is not the inputUrl of an upload: use it unchanged';
      expectRejection(
        await post('/api/v1/jobs', { ...aRequest, input: { url } }),
        invalidUrl('input.url', message),
      );
    },
  );
});

describe('a listed private address', () => {
  const [address, port] = listedAddress.split(':');

  it.each([`http://${listedAddress}/`, `http://127.1:${port}/`, `http://localhost:${port}/`])(
    'is allowed as %s',
    async (url) => {
      for (const [, send] of urlFields) expect((await send(url)).status).toBeLessThan(300);
    },
  );

  it.each([`http://${address}/`, `http://${address}:${Number(port) + 1}/`, `https://${address}/`])(
    'does not allow another port: %s',
    async (url) => {
      await expectRejectedEverywhere(url, (path) => invalidUrl(path, privateHost('127.0.0.1')));
    },
  );

  it.each([`http://[::1]:${port}/`, `http://127.0.0.2:${port}/`])(
    'does not allow another host: %s',
    async (url) => {
      const { hostname } = new URL(url);
      const message = privateHost(hostname.replace(/^\[(.*)\]$/, '$1'));
      await expectRejectedEverywhere(url, (path) => invalidUrl(path, message));
    },
  );
});
