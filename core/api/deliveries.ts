import * as z from 'zod';
import { endpointIdPattern, endpointOf } from '../settings/owner-settings.ts';
import { requestTimestampSchema, timestampSchema } from '../timestamp.ts';
import type { DeliveryAttempt } from '../webhooks/delivery.ts';
import { webhookPayloadSchema } from '../webhooks/payload.ts';
import { contract } from './contract.ts';
import { idempotencyHeaders, replayedHeader } from './job-fields.ts';
import { jobParams } from './jobs.ts';

/** A delivery attempt in API responses. */
const common = { function: 'jobs', tag: 'Deliveries', callers: ['key', 'session'], scope: 'deliveries' } as const;

export const deliveryResourceSchema = z
  .object({
    deliveryId: z
      .string()
      .describe(
        'The delivery that this attempt belongs to. A redelivery has an id of its own, and so has each later attempt.',
      ),
    endpointId: z.string().optional().describe('The webhook endpoint; without it the target of the job.'),
    attempt: z.int().min(1).describe('Number of the attempt within its delivery, from 1.'),
    state: z.enum(['pending', 'delivered', 'failed']).describe('`delivered` requires a 2xx response.'),
    url: z.string().describe('The target URL. Its query is left out because it may contain a token.'),
    startedAt: timestampSchema,
    endedAt: timestampSchema.nullable(),
    latencyMs: z.int().min(0).optional().meta({
      description:
        'Milliseconds from the DNS lookup to the end of the response, at most a second of them for its body.',
    }),
    status: z.int().optional().describe('HTTP status of the response, if there was one.'),
    address: z.string().optional().describe('IP address of the connection.'),
    errorClass: z
      .string()
      .optional()
      .meta({
        description:
          'Why it failed: `address-forbidden`, `dns`, `connect`, `connect-timeout`, `tls`, `reset`, `timeout`, ' +
          '`protocol`, `redirect`, `http-status`, `aborted` or `LOST` (no outcome was recorded).',
      }),
    error: z.string().optional().describe('The failure as a sentence.'),
    responseBody: z.string().optional().describe('The first 4 KiB of the response body.'),
  })
  .meta({ id: 'DeliveryAttempt' });

export type DeliveryResource = z.output<typeof deliveryResourceSchema>;

export function viewAttempt({
  deliveryId,
  attempt,
  url: target,
  startedAt,
  outcome,
}: DeliveryAttempt): DeliveryResource {
  const url = target.replace(/\?.*$/s, '?…');
  const endpointId = endpointOf(deliveryId);
  const ids = { deliveryId, ...(endpointId && { endpointId }), attempt };
  if (outcome === undefined) return { ...ids, state: 'pending', url, startedAt, endedAt: null };
  const { delivered, ...facts } = outcome;
  return { ...ids, state: delivered ? 'delivered' : 'failed', url, startedAt, ...facts };
}

export const listDeliveriesContract = contract({
  ...common,
  id: 'listDeliveries',
  method: 'GET',
  path: '/api/v1/jobs/{id}/deliveries',
  summary: "List the attempts to deliver a job's webhook",
  params: jobParams,
  responses: {
    200: {
      description: 'The attempts of the last 30 days, oldest first. At most the latest 200.',
      schema: z.object({
        deliveries: z.array(deliveryResourceSchema),
        payload: webhookPayloadSchema
          .optional()
          .describe(
            'What a delivery sends now, with URLs signed for this response: of an ended job, for a caller that may read it.',
          ),
      }),
      example: {
        deliveries: [
          {
            deliveryId: '019a2c5e-7d10-7b3a-9f4e-2f1f6a0c9d11',
            attempt: 1,
            state: 'failed',
            url: 'https://example.com/webhooks/media',
            startedAt: '2026-03-01T12:01:00.310Z',
            endedAt: '2026-03-01T12:01:00.402Z',
            latencyMs: 92,
            status: 503,
            address: '93.184.215.14',
            errorClass: 'http-status',
            error: 'example.com answered 503 Service Unavailable',
            responseBody: 'upstream is down',
          },
        ],
      },
    },
  },
  errors: ['NOT_FOUND'],
  uses: ['table.get', 'table.query', 'files.link'],
});

export const redeliverJobContract = contract({
  ...common,
  id: 'redeliverJob',
  method: 'POST',
  path: '/api/v1/jobs/{id}/deliveries',
  summary: "Deliver a job's webhook again",
  description:
    'Sends the terminal event again with the same `webhook-id`, in as many attempts as the first delivery. The target is ' +
    "resolved again: the job's `webhookUrl`, else the current default. While a delivery is pending, the response has its id. The number " +
    'of redeliveries of a job is limited.',
  params: jobParams,
  query: z.strictObject({
    endpointId: z.string().regex(endpointIdPattern, 'Must be the id of a webhook endpoint').optional().meta({
      description: 'A webhook endpoint that got the event. Default: the target of the job.',
    }),
  }),
  headers: idempotencyHeaders,
  responses: {
    202: {
      description: 'The delivery was accepted. Its attempts appear in the list of deliveries.',
      headers: replayedHeader,
      schema: z.object({ deliveryId: z.string() }),
      example: { deliveryId: '019a2c5e-7d10-7b3a-9f4e-2f1f6a0c9d11' },
    },
  },
  errors: ['NOT_FOUND', 'JOB_NOT_TERMINAL', 'WEBHOOK_NOT_CONFIGURED', 'IDEMPOTENCY_KEY_REUSED', 'LIMIT_EXCEEDED'],
  uses: ['table.get', 'table.put', 'deliveries.start'],
});

export const maxRecoveredPerCall = 1_000;

export const recoverDeliveriesContract = contract({
  ...common,
  id: 'recoverDeliveries',
  method: 'POST',
  path: '/api/v1/deliveries/recover',
  summary: 'Redeliver abandoned webhooks of a time window',
  countsAs: 10,
  description:
    'Use it after an outage of your receiver. Redelivers the webhook of each job that was created in the window and ' +
    'whose webhook was abandoned, newest first, except those at the limit of redeliveries. Deliveries start within minutes, at a bounded rate. One call ' +
    `recovers at most ${maxRecoveredPerCall} webhooks and reads a bounded number of jobs, so it may recover fewer or ` +
    'none: call again with `nextCursor` until it is null.',
  body: z
    .strictObject({
      since: requestTimestampSchema.describe('Start of the window by job creation, inclusive.'),
      until: requestTimestampSchema.describe('End of the window by job creation, exclusive.'),
      cursor: z.string().optional().describe('The `nextCursor` of the previous call.'),
    })
    .refine(({ since, until }) => Date.parse(since) < Date.parse(until), {
      path: ['until'],
      message: 'Must be later than since',
    }),
  bodyExample: { since: '2026-03-01T08:00:00.000Z', until: '2026-03-01T12:00:00.000Z' },
  responses: {
    202: {
      description: 'How many deliveries were recovered. `nextCursor` is null at the end of the window.',
      schema: z.object({ recovered: z.int().min(0), nextCursor: z.string().nullable() }),
      example: { recovered: 212, nextCursor: null },
    },
  },
  errors: ['INVALID_CURSOR'],
  uses: ['table.get', 'table.query', 'table.put'],
});
