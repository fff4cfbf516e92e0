import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { webhookPayloadSchema } from '../../../core/webhooks/payload.ts';
import { anHttpServer } from '../../adapters/http/builders/servers.ts';
import { aCompletedJob } from '../../builders/jobs/ended-jobs.ts';
import { aDeliveryStage } from './delivery-stage.ts';

const secretOf = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`;
const hour = 3_600_000;

/** The webhooks of a completed job, as a receiver got them that answers each with an error. */
async function rejectedWebhooks({ previousExpiresIn }: { previousExpiresIn?: number } = {}) {
  const received: { headers: IncomingMessage['headers']; body: string }[] = [];
  const port = await anHttpServer(async (request, response) => {
    received.push({ headers: request.headers, body: await text(request) });
    response.writeHead(503).end();
  });
  const stage = await aDeliveryStage({
    job: aCompletedJob({
      webhookTarget: `http://127.0.0.1:${port}/hook`,
      filesExpireAt: new Date(Date.now() + 24 * hour).toISOString(),
    }),
  });
  if (previousExpiresIn !== undefined) {
    const previousExpiresAt = new Date(stage.clock.now().getTime() + previousExpiresIn).toISOString();
    await stage.settings.ensureSecrets('owner-1', { current: secretOf(1), previous: secretOf(2), previousExpiresAt });
  }
  await stage.deliver();
  return { ...stage, received };
}

function verifies(secret: string, { headers, body }: { headers: IncomingMessage['headers']; body: string }): boolean {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}

describe('the webhooks of a job', () => {
  it('have the same id, each a valid signature with its own time, and are JSON from a sender that names itself', async () => {
    const { received, settings } = await rejectedWebhooks();
    const secret = (await settings.get('owner-1')).signingSecrets?.current ?? '';
    expect(received).toHaveLength(3);
    expect(received.every((webhook) => verifies(secret, webhook))).toBe(true);
    expect(new Set(received.map(({ headers }) => headers['webhook-id']))).toEqual(
      new Set([`evt_${aCompletedJob().jobId}`]),
    );
    expect(received[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'media-jobs/1.2.3',
    });
    const valuesOf = (name: string) => new Set(received.map(({ headers }) => headers[name]));
    expect(valuesOf('webhook-signature').size).toBe(valuesOf('webhook-timestamp').size);
  });

  it('have the timestamp of the event, and signed URLs of the API', async () => {
    const { received } = await rejectedWebhooks();
    const payloads = received.map(({ body }) => webhookPayloadSchema.parse(JSON.parse(body)));
    expect(new Set(payloads.map(({ timestamp }) => timestamp))).toEqual(
      new Set([Date.parse(aCompletedJob().completedAt)]),
    );
    const urls = payloads.map(({ data }) => (data.state === 'completed' ? data.output?.signedUrl : undefined));
    expect(urls).toEqual(Array(3).fill(expect.stringMatching(/^https:\/\/api\.example\/.*&s=[\w-]{22}$/)));
  });

  it('verify with either secret until the previous one expires', async () => {
    const { received } = await rejectedWebhooks({ previousExpiresIn: hour });
    expect(received.every((webhook) => verifies(secretOf(1), webhook) && verifies(secretOf(2), webhook))).toBe(true);
  });

  it('verify only with the new secret once the previous one has expired', async () => {
    const { received } = await rejectedWebhooks({ previousExpiresIn: 0 });
    expect(received.every((webhook) => verifies(secretOf(1), webhook))).toBe(true);
    expect(received.some((webhook) => verifies(secretOf(2), webhook))).toBe(false);
  });
});
