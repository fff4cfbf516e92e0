import { maxUrlCharacters } from '@media-jobs/video/recipes';
import * as z from 'zod';
import { terminalStates } from '../jobs/states.ts';
import { endpointIdPattern, maxWebhookEndpoints } from '../settings/owner-settings.ts';
import { timestampSchema } from '../timestamp.ts';
import { contract } from './contract.ts';
import { idempotencyHeaders, metadataSchema, replayedHeader } from './job-fields.ts';

const common = { function: 'settings', tag: 'Settings', callers: ['key', 'session'], scope: 'settings' } as const;
const path = '/api/v1/webhook-endpoints';
export const endpointNotFoundMessage = 'There is no such webhook endpoint.';

const params = z.object({
  id: z.string().regex(endpointIdPattern, endpointNotFoundMessage).describe("The endpoint's `id`."),
});

const url = z.string().min(1).max(maxUrlCharacters);
const states = z
  .array(z.enum(terminalStates))
  .min(1)
  .describe('Only jobs that end in one of these states. Default: all.');
const metadata = metadataSchema.describe('Only jobs whose metadata has all of these pairs. Default: all.');

const endpointSchema = z
  .object({
    id: z.string(),
    url: z.string(),
    states: states.optional(),
    metadata: metadata.optional(),
    disabled: z.boolean().describe('A disabled endpoint gets nothing.'),
    createdAt: timestampSchema,
  })
  .meta({ id: 'WebhookEndpoint' });

const example = {
  id: 'we_0199c3b51b2c7f10a4d25e6f8a90b1c2',
  url: 'https://example.com/hooks/failures',
  states: ['failed', 'rejected'] as ('failed' | 'rejected')[],
  disabled: false,
  createdAt: '2026-11-21T09:12:44.107Z',
};

export const listWebhookEndpointsContract = contract({
  ...common,
  id: 'listWebhookEndpoints',
  method: 'GET',
  path,
  summary: 'List the webhook endpoints',
  responses: {
    200: {
      description: 'The endpoints, oldest first, without their secrets.',
      schema: z.object({ webhookEndpoints: z.array(endpointSchema) }),
      example: { webhookEndpoints: [example] },
    },
  },
  uses: ['table.get'],
});

export const createWebhookEndpointContract = contract({
  ...common,
  id: 'createWebhookEndpoint',
  method: 'POST',
  path,
  summary: 'Add a webhook endpoint',
  description: `A further receiver of the events of your jobs, at most ${maxWebhookEndpoints}. Each has its own secret, deliveries and \`webhook-id\`. The target of a job, its \`webhookUrl\` or the default, stays as it is.`,
  headers: idempotencyHeaders,
  body: z.strictObject({
    url,
    states: states.optional(),
    metadata: metadata.optional(),
    disabled: z.boolean().optional(),
  }),
  bodyExample: { url: example.url, states: example.states },
  responses: {
    201: {
      description:
        'The endpoint. Its `secret` is in this response only. A replay has the same `id` and a new secret: the one before is revoked at once.',
      headers: replayedHeader,
      schema: endpointSchema
        .extend({ secret: z.string().describe('`whsec_` and 32 bytes in base64.') })
        .meta({ id: 'NewWebhookEndpoint' }),
      example: { ...example, secret: 'whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=' },
    },
  },
  errors: ['INVALID_URL', 'IDEMPOTENCY_KEY_REUSED', 'LIMIT_EXCEEDED'],
  uses: ['table.get', 'table.put', 'table.update'],
  audit: { made: 'id' },
});

export const updateWebhookEndpointContract = contract({
  ...common,
  id: 'updateWebhookEndpoint',
  method: 'PATCH',
  path: `${path}/{id}`,
  summary: 'Change a webhook endpoint',
  description:
    'A field that is left out stays. It takes effect with the next attempt, the filters with the next job that ends.',
  params,
  body: z.strictObject({
    url: url.optional(),
    states: states.nullable().optional().describe('null: jobs in any state.'),
    metadata: metadata.nullable().optional().describe('null: jobs of any metadata.'),
    disabled: z.boolean().optional(),
  }),
  bodyExample: { disabled: true },
  responses: { 200: { description: 'The endpoint, without its secret.', schema: endpointSchema, example } },
  errors: ['INVALID_URL'],
  uses: ['table.get', 'table.update'],
  audit: {},
});

export const deleteWebhookEndpointContract = contract({
  ...common,
  id: 'deleteWebhookEndpoint',
  method: 'DELETE',
  path: `${path}/{id}`,
  summary: 'Remove a webhook endpoint',
  description: 'Ends its pending deliveries: no further attempt begins.',
  params,
  responses: { 204: { description: 'The endpoint is removed.' } },
  uses: ['table.get', 'table.update'],
  audit: {},
});
