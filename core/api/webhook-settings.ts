import * as z from 'zod';
import { timestampSchema } from '../timestamp.ts';
import { contract } from './contract.ts';

const tag = 'Settings';

export const testWebhookContract = contract({
  id: 'testWebhook',
  method: 'POST',
  path: '/api/v1/settings/webhook/test',
  tag,
  summary: 'Send a sample webhook to the default URL',
  description:
    'Sends the payload of a completed job whose `jobId` starts with `test_`, signed and connected like a real one, ' +
    'once, and waits for the answer.',
  callers: ['key', 'session'],
  responses: {
    200: {
      description: 'Whether the target took it.',
      schema: z.object({
        ok: z.boolean().meta({ description: 'Whether the target answered with a 2xx status.' }),
        status: z.int().meta({
          description:
            "The target's HTTP status; 502 where it cannot be reached or its answer broke off, 504 where it takes too long.",
        }),
      }),
      example: { ok: true, status: 200 },
    },
  },
  errors: ['WEBHOOK_NOT_CONFIGURED'],
  uses: ['table.get', 'table.update', 'webhooks.post'],
});

const secretSchema = z
  .object({
    secret: z
      .string()
      .meta({ description: '`whsec_` and the base64 of 32 bytes, as Standard Webhooks has it.' }),
    previousSecretExpiresAt: timestampSchema.nullable().meta({
      description: 'Until when the secret before it signs along; null when it no longer does.',
    }),
  })
  .meta({ id: 'WebhookSecret' });

const example = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
  previousSecretExpiresAt: '2026-03-02T12:00:00.000Z',
};

export const getWebhookSecretContract = contract({
  id: 'getWebhookSecret',
  method: 'GET',
  path: '/api/v1/settings/webhook/secret',
  tag,
  summary: 'Read the secret that signs your webhooks',
  description: 'The first read makes one, unless a webhook has already.',
  callers: ['session'],
  responses: { 200: { description: 'The secret.', schema: secretSchema, example } },
  errors: [],
  uses: ['table.get', 'table.update'],
});

export const rotateWebhookSecretContract = contract({
  id: 'rotateWebhookSecret',
  method: 'POST',
  path: '/api/v1/settings/webhook/secret/rotate',
  tag,
  summary: 'Replace the secret that signs your webhooks',
  description:
    'For 24 hours every webhook carries two signatures, by the new secret and by the one before. Another rotation ' +
    'within that time ends the oldest at once. Rotations at the same moment are one: all are answered with its secret.',
  callers: ['session'],
  responses: { 200: { description: 'The new secret.', schema: secretSchema, example } },
  errors: [],
  uses: ['table.get', 'table.update'],
});
