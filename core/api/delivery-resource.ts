import * as z from 'zod';
import type { DeliveryAttempt } from '../webhooks/attempt.ts';

const instant = z.iso.datetime({ precision: 3 });

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
    startedAt: instant,
    endedAt: instant.nullable(),
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
