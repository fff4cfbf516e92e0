import * as z from 'zod';
import { requestTimestampSchema, timestampSchema } from '../timestamp.ts';
import type { DeliveryAttempt } from '../webhooks/attempt.ts';
import { contract } from './contract.ts';
import { jobParams } from './jobs.ts';

/** One attempt to deliver a webhook, as the job's owner reads it. */
export const deliveryResourceSchema = z
  .object({
    deliveryId: z
      .string()
      .meta({ description: 'The delivery that this attempt belongs to; a redelivery has its own.' }),
    attempt: z.int().min(1).meta({ description: 'Which attempt of the delivery, from 1.' }),
    state: z.enum(['pending', 'delivered', 'failed']).meta({
      description: 'Only an answer with a 2xx status makes it `delivered`.',
    }),
    url: z.string().meta({
      description: 'Whom it was sent to; a query, which may hold a token, is not repeated.',
    }),
    startedAt: timestampSchema,
    endedAt: timestampSchema.nullable(),
    latencyMs: z
      .int()
      .min(0)
      .optional()
      .meta({ description: 'From the look-up of the host to the end of the answer.' }),
    status: z.int().optional().meta({ description: 'The HTTP status of the answer, where there was one.' }),
    address: z.string().optional().meta({ description: 'The IP address that was connected to.' }),
    errorClass: z
      .string()
      .optional()
      .meta({
        description:
          'Why it failed: `address-forbidden`, `dns`, `connect`, `connect-timeout`, `tls`, `reset`, `timeout`, ' +
          '`protocol`, `redirect`, `http-status`, `response-too-large`, `aborted` or `LOST` (its outcome was never ' +
          'recorded).',
      }),
    error: z.string().optional().meta({ description: 'The same as a sentence.' }),
    responseBody: z.string().optional().meta({ description: 'The first 4 KiB of the answer.' }),
  })
  .meta({ id: 'DeliveryAttempt' });

export type DeliveryResource = z.output<typeof deliveryResourceSchema>;

/** An attempt as its owner reads it: the query of its URL, which may carry a token, is left out. */
export function viewAttempt({
  deliveryId,
  attempt,
  url: target,
  startedAt,
  outcome,
}: DeliveryAttempt): DeliveryResource {
  const url = target.replace(/\?.*$/s, '?…');
  if (outcome === undefined) return { deliveryId, attempt, state: 'pending', url, startedAt, endedAt: null };
  const { delivered, ...facts } = outcome;
  return { deliveryId, attempt, state: delivered ? 'delivered' : 'failed', url, startedAt, ...facts };
}

const callers = ['key', 'session'] as const;
const tag = 'Deliveries';

export const listDeliveriesContract = contract({
  id: 'listDeliveries',
  method: 'GET',
  path: '/api/v1/jobs/{id}/deliveries',
  tag,
  summary: "List the attempts to deliver a job's webhook",
  callers,
  params: jobParams,
  responses: {
    200: {
      description: 'The attempts of the last 30 days, oldest first; at most the last 200.',
      schema: z.object({ deliveries: z.array(deliveryResourceSchema) }),
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
  uses: ['table.get', 'table.query'],
});

export const redeliverJobContract = contract({
  id: 'redeliverJob',
  method: 'POST',
  path: '/api/v1/jobs/{id}/deliveries',
  tag,
  summary: "Deliver a job's webhook again",
  description:
    'Sends the terminal event again, under the same `webhook-id`, in up to three attempts. The target is found ' +
    "afresh: the job's `webhookUrl`, else the default of this moment. While a delivery is pending, its id is answered.",
  callers,
  params: jobParams,
  responses: {
    202: {
      description: 'The delivery is on its way; its attempts appear in the list of deliveries.',
      schema: z.object({ deliveryId: z.string() }),
      example: { deliveryId: '019a2c5e-7d10-7b3a-9f4e-2f1f6a0c9d11' },
    },
  },
  errors: ['NOT_FOUND', 'JOB_NOT_TERMINAL', 'WEBHOOK_NOT_CONFIGURED'],
  uses: ['table.get', 'table.put', 'deliveries.start'],
});

/** How many deliveries one call recovers at most. */
export const maxRecoveredPerCall = 1_000;

export const recoverDeliveriesContract = contract({
  id: 'recoverDeliveries',
  method: 'POST',
  path: '/api/v1/deliveries/recover',
  tag,
  summary: 'Deliver every abandoned webhook of a window again',
  description:
    'For after an outage of the receiver: takes the jobs created in the window whose webhook was abandoned, newest ' +
    'first, and delivers each again as if asked for singly. They start within minutes, at a bounded rate. One call ' +
    `recovers at most ${maxRecoveredPerCall} and looks at a bounded number of jobs, so that it may recover fewer, even ` +
    'none: call again with `nextCursor` until it is null.',
  callers,
  body: z
    .strictObject({
      since: requestTimestampSchema.meta({ description: "Inclusive; compares with the job's creation." }),
      until: requestTimestampSchema.meta({ description: "Exclusive; compares with the job's creation." }),
      cursor: z.string().optional().meta({ description: 'The `nextCursor` of the call before.' }),
    })
    .refine(({ since, until }) => Date.parse(since) < Date.parse(until), {
      path: ['until'],
      message: 'must be later than since',
    }),
  bodyExample: { since: '2026-03-01T08:00:00.000Z', until: '2026-03-01T12:00:00.000Z' },
  responses: {
    202: {
      description:
        'How many deliveries were recovered; `nextCursor` is null once the window has been gone through.',
      schema: z.object({ recovered: z.int().min(0), nextCursor: z.string().nullable() }),
      example: { recovered: 212, nextCursor: null },
    },
  },
  errors: ['INVALID_CURSOR'],
  uses: ['table.get', 'table.query', 'table.put'],
});
