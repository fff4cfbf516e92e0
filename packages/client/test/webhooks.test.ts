import { aWebServer } from '@media-jobs/testing/web-server';
import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { verify, type WebhookHeaders } from '../src/webhooks.ts';

const secret = `whsec_${btoa('a secret of 24 bytes long')}`;
const otherSecret = `whsec_${btoa('another secret, replaced')}`;
const body = '{"timestamp":1764000000,"data":{"jobId":"job-1","note":"é"}}';
const content = { id: 'job-1.completed', timestamp: 1_764_000_000, data: { jobId: 'job-1', note: 'é' } };

/** The headers of a webhook as a receiver in Node has them, after a request that `ageSeconds` ago was signed with each secret. */
async function received(signedWith: readonly string[], ageSeconds = 0): Promise<WebhookHeaders> {
  const at = new Date(Date.now() - ageSeconds * 1_000);
  const receiver = await aWebServer((_, response) => response.end());
  const headers = {
    'Webhook-Id': content.id,
    'Webhook-Timestamp': String(Math.floor(at.getTime() / 1_000)),
    'Webhook-Signature': signedWith.map((each) => new Webhook(each).sign(content.id, at, body)).join(' '),
  };
  await fetch(receiver.origin, { method: 'POST', headers, body });
  return receiver.requests[0]?.headers ?? {};
}

it.each([
  ['text', body, secret],
  ['bytes', new TextEncoder().encode(body), secret],
  ['a buffer', new TextEncoder().encode(body).buffer, secret],
  ['text, under one of several secrets', body, [`whsec_${btoa('a newer secret')}`, secret]],
])('verify returns the content of a webhook from a body as %s', async (_, raw, secrets) => {
  const headers = await received([otherSecret, secret]);
  expect(await verify(raw, headers, secrets)).toEqual(content);
  expect(await verify(raw, new Headers(headers as Record<string, string>), secrets)).toEqual(content);
});

it.each([
  ['another body', { raw: body.replace('job-1', 'job-2') }, 'The signature does not match the body'],
  ['another secret', { signedWith: otherSecret }, 'The signature does not match the body'],
  ['an old timestamp', { ageSeconds: 301 }, 'The webhook is more than five minutes old.'],
  ['a timestamp of the future', { ageSeconds: -302 }, 'The webhook is more than five minutes old.'],
  ['a changed id', { changed: { 'webhook-id': 'job-2' } }, 'The signature does not match the body'],
  ['a timestamp that is no number', { changed: { 'webhook-timestamp': 'now' } }, 'more than five minutes old'],
  ['no signature', { changed: { 'webhook-signature': undefined } }, 'The request has no webhook headers.'],
  ['a signature that is not base64', { changed: { 'webhook-signature': 'v1,*' } }, 'The signature does not match'],
] as [string, { raw?: string; signedWith?: string; ageSeconds?: number; changed?: WebhookHeaders }, string][])(
  'verify rejects %s',
  async (_, { raw = body, signedWith = secret, ageSeconds, changed }, message) => {
    const headers = { ...(await received([signedWith], ageSeconds)), ...changed } as WebhookHeaders;
    await expect(verify(raw, headers, secret)).rejects.toThrow(message);
  },
);

it('verify says what a caller got wrong', async () => {
  const headers = await received([secret]);
  await expect(verify(body, headers, 'whsec_')).rejects.toThrow('The secret of webhooks begins with whsec_');
  await expect(verify(JSON.parse(body), headers, secret)).rejects.toThrow('a parsed body cannot be verified');
});
