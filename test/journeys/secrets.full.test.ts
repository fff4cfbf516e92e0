// @module-tag requests
// @module-tag jobs
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { localAudience, localIssuer } from '@media-jobs/local-stage/identity';
import { aWebServer, type WebServer } from '@media-jobs/testing/web-server';
import { clipWith } from '@media-jobs/video/testing';
import { beforeAll, expect, it, vi } from 'vitest';
import type { JobResource } from '../../core/api/job-resource.ts';
import { aTokenIssuer } from '../builders/http/session-tokens.ts';
import { type ApiAnswer, aRunningStage, type RunningStage } from '../builders/stage/running-stage.ts';
import { submitJob, waitForJobEnd } from '../builders/stage/submitted-jobs.ts';
import { withoutRequests } from '../secret-scan/secrets.ts';

const provider = aTokenIssuer();
const recipe = { mode: 'recipe', output: { format: 'mp4' }, recipe: { name: 'compress' } };

/** Paths of films that the customer does not have yet. */
const missing = new Set(['/film-late']);

let running: RunningStage;
let identity: WebServer;
let customer: WebServer;

beforeAll(async () => {
  identity = await aWebServer((_, response) => response.end(JSON.stringify(provider.jwks)));
  const video = await readFile(await clipWith());
  customer = await aWebServer(({ path }, response) => {
    if (path.startsWith('/film') && !missing.has(path)) response.end(video);
    else response.writeHead(path.startsWith('/hook') ? 200 : 404).end('nothing here');
  });
  running = await aRunningStage({ environment: { OIDC_JWKS_URI: `${identity.origin}/jwks` } });
});

type Planted = {
  /** A text that must appear only in the request in which it was sent. */
  secret: string;
  /** All responses of the API, those about the ended job included. */
  answers: ApiAnswer[];
  /** The API returns a job's request to its sender, with the URLs in it. Default: true. */
  isInRequest?: boolean;
};

/** Submits a job, waits for its end, and reads every resource about it. */
async function jobWith(secret: string, more: object): Promise<Planted> {
  const { api } = running;
  const created = await api('POST', '/api/v1/jobs', { ...recipe, ...more });
  if (created.status !== 201) return { secret, answers: [created] };
  const { jobId } = created.body as JobResource;
  const path = `/api/v1/jobs/${jobId}`;
  await vi.waitFor(
    async () => {
      const { deliveries } = (await api('GET', `${path}/deliveries`)).body as { deliveries: unknown[] };
      const { completedAt } = (await api('GET', path)).body as JobResource;
      expect([completedAt, 'webhookUrl' in more ? deliveries.length : 1]).toEqual([expect.any(String), 1]);
    },
    { timeout: 60_000, interval: 50 },
  );
  const reads = ['', '/log', '/deliveries'].map((read) => api('GET', path + read));
  return { secret, answers: [created, ...(await Promise.all([...reads, api('GET', '/api/v1/jobs')]))] };
}

const plantedIn = async (secret: string, credential: string, path = '/api/v1/jobs'): Promise<Planted> => ({
  secret,
  answers: [await running.apiAs(credential)('GET', path)],
});

const canary = () => `canary${randomUUID().replaceAll('-', '')}`;

it.each<[string, () => Promise<Planted>]>([
  ['a key that nobody has', async () => plantedIn(...twice(`nte_${canary()}0123456789`))],
  [
    'a key in the query',
    async () => {
      const secret = `nte_${canary()}`;
      const path = `/api/v1/jobs?api_key=${secret}`;
      const answers = [await running.apiAs('nobody')('GET', path), await running.api('GET', path)];
      return { secret, answers };
    },
  ],
  ['a session that is over', async () => plantedIn(...twice(provider.token({ exp: 1_000_000_000 })))],
  ['a session of somebody else', async () => plantedIn(...twice(provider.token({ iss: 'https://else.example' })))],
  ['a session that is good', async () => plantedIn(...twice(provider.token({ iss: localIssuer, aud: localAudience })))],
  [
    'the user info of an input',
    async () => withSecret((secret) => ({ input: { url: `https://user:${secret}@example.com/in.mp4` } })),
  ],
  [
    'the user info of a webhook',
    async () =>
      withSecret((secret) => ({
        input: { url: `${customer.origin}/film.mp4` },
        webhookUrl: `https://user:${secret}@example.com/hook`,
      })),
  ],
  [
    'the signature of an input that is read',
    async () => withSecret((secret) => ({ input: { url: `${customer.origin}/film.mp4?X-Amz-Signature=${secret}` } })),
  ],
  [
    'the signature of an input that is missing',
    async () => withSecret((secret) => ({ input: { url: `${customer.origin}/gone.mp4?X-Amz-Signature=${secret}` } })),
  ],
  [
    'the content key of a stream',
    async () => {
      const input = { url: `${customer.origin}/film.mp4` };
      return withContentKey((key) => ({ input, ...streamWith(key) }));
    },
  ],
  [
    'the content key of a stream that fails',
    async () => {
      const input = { url: `${customer.origin}/gone.mp4` };
      return withContentKey((key) => ({ input, ...streamWith(key) }));
    },
  ],
  [
    'a content key that is rejected',
    async () => {
      const secret = canary();
      return jobWith(secret, { input: { url: `${customer.origin}/film.mp4` }, ...streamWith(secret) });
    },
  ],
  [
    'the token in the URL of a webhook',
    async () =>
      withSecret((secret) => ({
        input: { url: `${customer.origin}/gone.mp4` },
        webhookUrl: `${customer.origin}/hook?token=${secret}`,
      })),
  ],
])('neither a log nor a response contains %s', async (_name, plant) => {
  const { secret, answers, isInRequest = true } = await plant();
  expect(running.log.filter((line) => line.includes(secret))).toEqual([]);
  const bodies = answers.map(({ body }) => JSON.stringify(body ?? null));
  const texts = isInRequest ? bodies.map(withoutRequests) : bodies;
  expect(texts.filter((text) => text.includes(secret))).toEqual([]);
  expect(JSON.stringify(running.stage.events())).not.toContain(secret);
  // The service sends it to nobody: no webhook has it in its body.
  expect(customer.requests.filter(({ body }) => body.includes(secret))).toEqual([]);
});

it('no log contains the URLs or the secret that the service creates', async () => {
  const session = running.apiAs(provider.token({ iss: localIssuer, aud: localAudience }));
  const made = (await session('GET', '/api/v1/settings/webhook/secret')).body as { secret: string };
  const key = (await session('POST', '/api/v1/keys', { name: 'canary' })).body as { key: string };
  const upload = (await running.api('POST', '/api/v1/uploads', { sizeBytes: 1000 })).body as {
    uploadUrl: string;
  };
  const { answers } = await jobWith('', { input: { url: `${customer.origin}/film.mp4` } });
  const job = answers.map(({ body }) => body as JobResource).find(({ output }) => output !== undefined);
  const signatures = [
    new URL(upload.uploadUrl).searchParams.get('X-Amz-Signature') ?? 'none',
    new URL(job?.output?.signedUrl ?? '').searchParams.get('s') ?? 'none',
  ];
  const secrets = [made.secret, key.key, ...signatures];
  expect(secrets).not.toContain('none');
  for (const secret of secrets) {
    expect(running.log.filter((line) => line.includes(secret))).toEqual([]);
    expect(JSON.stringify(running.stage.events())).not.toContain(secret);
  }
  const keys = await session('GET', '/api/v1/keys');
  expect(JSON.stringify(keys.body)).not.toContain(key.key);
});

it('a retry of an encrypted stream uses the content key of the first job', async () => {
  const { api } = running;
  const input = { url: `${customer.origin}/film-late` };
  const { jobId } = await submitJob(api, { input, ...streamWith('0f'.repeat(16)) });
  expect((await waitForJobEnd(api, jobId)).state).not.toBe('completed');
  missing.clear();
  const retry = (await api('POST', `/api/v1/jobs/${jobId}/retry`)).body as JobResource;
  expect(await waitForJobEnd(api, retry.jobId)).toMatchObject({ state: 'completed', retryOf: jobId });
});

function withSecret(request: (secret: string) => object): Promise<Planted> {
  const secret = canary();
  return jobWith(secret, request(secret));
}

/** The key is found nowhere, not even in the request as the API returns it. */
async function withContentKey(request: (key: string) => object): Promise<Planted> {
  const secret = randomUUID().replaceAll('-', '');
  return { ...(await jobWith(secret, request(secret))), isInRequest: false };
}

function streamWith(key: string): object {
  const encryption = { scheme: 'aes-128', key, keyUri: 'https://keys.example/film' };
  return { output: { format: 'm3u8' }, recipe: { name: 'hls', preset: 'ultrafast', encryption } };
}

function twice(text: string): [string, string] {
  return [text, text];
}
