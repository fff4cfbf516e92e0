// @module-tag webhooks
import { aWebServer, type ReceivedRequest, type WebServer } from '@media-jobs/video/testing';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import cdkJson from '../../cdk.json' with { type: 'json' };
import { aTokenIssuer } from '../builders/http/session-tokens.ts';
import { aRunningStage, type RunningStage } from '../builders/stage/running-stage.ts';
import { submitJob } from '../builders/stage/submitted-jobs.ts';

const { issuer, audience } = cdkJson.context.stages.local.identityProvider;
const provider = aTokenIssuer();
const token = provider.token({ iss: issuer, aud: audience });

let running: RunningStage;
let identity: WebServer;
let customer: WebServer;

beforeAll(async () => {
  identity = await aWebServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(provider.jwks));
  });
  customer = await aWebServer(({ path }, response) => response.writeHead(path === '/hook' ? 200 : 404).end());
  running = await aRunningStage({ environment: { OIDC_JWKS_URI: `${identity.origin}/jwks` } });
});

afterAll(async () => {
  await Promise.all([identity?.close(), customer?.close()]);
  await running?.stop();
});

describe('the secret that signs webhooks', () => {
  it('is replaced by a rotation, and both secrets verify events for 24 hours', async () => {
    const before = await secretBy('GET', '/api/v1/settings/webhook/secret');
    expect(before.previousSecretExpiresAt).toBeNull();
    expect(verifies(before.secret, await webhookOfAJob())).toBe(true);

    const after = await secretBy('POST', '/api/v1/settings/webhook/secret/rotate');
    const hoursLeft = (Date.parse(after.previousSecretExpiresAt ?? '') - Date.now()) / 3_600_000;
    expect(hoursLeft).toBeGreaterThan(23);
    expect(hoursLeft).toBeLessThanOrEqual(24);
    const webhook = await webhookOfAJob();
    expect(verifies(after.secret, webhook)).toBe(true);
    expect(verifies(before.secret, webhook)).toBe(true);
    expect(await secretBy('GET', '/api/v1/settings/webhook/secret')).toEqual(after);
  });
});

async function secretBy(method: string, path: string) {
  const { status, body } = await running.apiAs(token)(method, path);
  expect(status).toBe(200);
  return body as { secret: string; previousSecretExpiresAt: string | null };
}

/** The webhook of a job of the signed-in user, which ends at once since its input is missing. */
async function webhookOfAJob(): Promise<ReceivedRequest> {
  const sent = customer.requests.filter(({ path }) => path === '/hook').length;
  const [input, webhookUrl] = [{ url: `${customer.origin}/missing.mp4` }, `${customer.origin}/hook`];
  await submitJob(running.apiAs(token), { input, webhookUrl });
  const webhook = (await customer.seen(sent + 1, '/hook')).at(-1);
  if (webhook === undefined) throw new Error('A webhook was expected');
  return webhook;
}

function verifies(secret: string, { headers, body }: ReceivedRequest): boolean {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}
