// @module-tag sources
import type { Recipe } from '@media-jobs/video/recipes';
import { recipes } from '@media-jobs/video/recipes';
import { beforeAll, describe, expect, it } from 'vitest';
import { aRequest } from '../builders/jobs/jobs.ts';
import { aClosedStage, type ClosedStage, listedAddress } from './closed-stage.ts';
import type { RawAnswer } from './raw-request.ts';
import { expectRejection, invalid, invalidUrl } from './rejection.ts';

const privateHost = (address: string) => `The URL's host is the address ${address}, which is not public`;

const { recipe, ...unchanged } = aRequest;
const { input, ...withoutInput } = aRequest;
const media = { width: 640, height: 360, durationSeconds: 10 };
const anOutput = (subtitles: string) => ({
  input,
  outputs: { a: { recipe: { name: 'burn-subtitles', subtitles }, format: 'mp4' } },
});
const aProvider = {
  ...{ name: 'own', kind: 's3-compatible', bucket: 'media' },
  access: { type: 'keys', accessKeyId: 'id', secretAccessKey: 'secret' },
};

/** Every field that takes a URL: its path, and a function that sends a request with the URL in it. */
const urlFields: [path: string, send: (url: string) => Promise<RawAnswer>][] = [
  ['input.url', (url) => post('/api/v1/jobs', { ...aRequest, input: { url } })],
  ['input.url', (url) => post('/api/v1/jobs', { ...unchanged, mode: 'pipeline', input: { url }, steps: [{ recipe }] })],
  ['webhookUrl', (url) => post('/api/v1/jobs', { ...aRequest, webhookUrl: url })],
  ['input.url', (url) => post('/api/v1/jobs/estimate', { ...aRequest, input: { url }, media })],
  ['outputs.a.recipe.subtitles', (url) => post('/api/v1/jobs', { ...anOutput(url), mode: 'outputs' })],
  ['manifestUrl', (url) => post('/api/v1/batches', { manifestUrl: url, request: withoutInput })],
  ['endpoint', (endpoint) => post('/api/v1/storage-providers', { ...aProvider, endpoint })],
  ['url', (url) => post('/api/v1/webhook-endpoints', { url })],
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

function post(target: string, body: object): Promise<RawAnswer> {
  return world.rawAs(world.alice.key, {
    method: 'POST',
    target,
    headers: [['Content-Type', 'application/json']],
    body: Buffer.from(JSON.stringify(body)),
  });
}

/** A rejected URL of each kind; `test/core/net/check-url.test.ts` has all of them. */
const rejected: [url: string, message: string][] = [
  ['http://0x7f.1/', privateHost('127.0.0.1')],
  ['http://[::ffff:169.254.169.254]/', privateHost('::ffff:a9fe:a9fe')],
  ['http://localhost/', "The URL's host is localhost, which is not public"],
  ['file:///etc/passwd', 'The URL must start with https:// or http://'],
  ['https://user@example.com/', 'The URL must not contain a user name or password'],
  ['http://example.com:25/', "The URL's port 25 is blocked: it belongs to another protocol"],
];

describe('the URL', () => {
  it.each([...urlFields, ...recipeUrlFields])('is checked in %s', async (path, send) => {
    for (const [url, message] of rejected) expectRejection(await send(url), invalidUrl(path, message));
  });

  it('of 2,049 characters is rejected', async () => {
    const url = `https://example.com/${'a'.repeat(2_029)}`;
    const rejection = invalid('input.url', 'Must have at most 2048 characters');
    expectRejection(await post('/api/v1/jobs', { ...aRequest, input: { url } }), rejection);
  });

  it.each(['upload://', 'upload://../../etc/passwd', 'upload://a/b', 'UPLOAD://a', 'upload:a'])(
    '%s is no upload of anybody',
    async (url) => {
      const message = 'This is not the inputUrl of an upload: use it unchanged';
      expectRejection(await post('/api/v1/jobs', { ...aRequest, input: { url } }), invalidUrl('input.url', message));
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

  it.each([
    [`http://${address}:${Number(port) + 1}/`, '127.0.0.1'],
    [`https://${address}/`, '127.0.0.1'],
    [`http://[::1]:${port}/`, '::1'],
    [`http://127.0.0.2:${port}/`, '127.0.0.2'],
  ])('allows nothing else: %s', async (url, host) => {
    for (const [path, send] of urlFields) expectRejection(await send(url), invalidUrl(path, privateHost(host)));
  });
});
