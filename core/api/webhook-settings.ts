import * as z from 'zod';
import { timestampSchema } from '../timestamp.ts';
import { contract } from './contract.ts';

const tag = 'Settings';

export const testWebhookContract = contract({
  id: 'testWebhook',
  function: 'settings',
  method: 'POST',
  path: '/api/v1/settings/webhook/test',
  tag,
  summary: 'Send a sample webhook to the default URL',
  description:
    'Sends one POST with the payload of a completed job whose `jobId` starts with `test_`, signed like every webhook, ' +
    'and waits for the response, for at most three seconds. With `tenancy` `multi` one test of an owner runs at a time.',
  callers: ['key', 'session'],
  scope: 'settings',
  responses: {
    200: {
      description: 'Whether the target accepted the webhook.',
      schema: z.object({
        ok: z.boolean().describe('Whether the target answered with a 2xx status.'),
        status: z
          .int()
          .describe(
            "The target's HTTP status. Without one: 502 if it is unreachable or does not answer with HTTP, 504 if it times out.",
          ),
      }),
      example: { ok: true, status: 200 },
    },
  },
  errors: ['WEBHOOK_NOT_CONFIGURED', 'LIMIT_EXCEEDED'],
  uses: ['table.get', 'table.put', 'table.update', 'webhooks.post'],
});

const secretSchema = z
  .object({
    secret: z.string().describe('`whsec_` and 32 bytes in base64, the format of Standard Webhooks.'),
    previousSecretExpiresAt: timestampSchema
      .nullable()
      .describe('Until when webhooks are also signed with the previous secret. null if they are not.'),
  })
  .meta({ id: 'WebhookSecret' });

const example = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
  previousSecretExpiresAt: '2026-03-02T12:00:00.000Z',
};

export const getWebhookSecretContract = contract({
  id: 'getWebhookSecret',
  function: 'settings',
  method: 'GET',
  path: '/api/v1/settings/webhook/secret',
  tag,
  summary: 'Read the secret that signs your webhooks',
  description: 'The secret is created on first use, by this request or the first webhook.',
  callers: ['session'],
  responses: { 200: { description: 'The secret.', schema: secretSchema, example } },
  uses: ['table.get', 'table.update'],
});

export const rotateWebhookSecretContract = contract({
  id: 'rotateWebhookSecret',
  function: 'settings',
  method: 'POST',
  path: '/api/v1/settings/webhook/secret/rotate',
  tag,
  summary: 'Replace the secret that signs your webhooks',
  description:
    'For 24 hours webhooks are also signed with the previous secret. Another rotation within that time keeps every ' +
    'secret that has not expired, up to five in all. Concurrent rotations count as one and return the same secret.',
  callers: ['session'],
  responses: { 200: { description: 'The new secret.', schema: secretSchema, example } },
  errors: ['SECRET_ROTATED_RECENTLY'],
  uses: ['table.get', 'table.update'],
  audit: {},
});
