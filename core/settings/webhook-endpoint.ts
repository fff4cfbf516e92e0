import * as z from 'zod';
import type { Job } from '../jobs/record.ts';
import { terminalStates } from '../jobs/states.ts';
import { timestampSchema } from '../timestamp.ts';

/** A further receiver of an owner's webhooks, which has a secret of its own. An item of the owner's settings. */
export const webhookEndpointSchema = z.object({
  id: z.string(),
  url: z.string(),
  /** It gets the jobs that end in one of them; undefined: in any. */
  states: z.array(z.enum(terminalStates)).optional(),
  /** It gets the jobs that have all of these pairs. */
  metadata: z.record(z.string(), z.string()).optional(),
  disabled: z.boolean(),
  createdAt: timestampSchema,
  secret: z.string(),
});

export type WebhookEndpoint = z.infer<typeof webhookEndpointSchema>;

/** The endpoints of an owner. A write requires the version that was read. */
export const webhookEndpointsSchema = z.object({ version: z.int().min(0), list: z.array(webhookEndpointSchema) });

export type WebhookEndpoints = z.infer<typeof webhookEndpointsSchema>;

export const maxWebhookEndpoints = 5;

/** The id of a new endpoint, from a UUID. */
export function endpointId(uuid: string): string {
  return `we_${uuid.replaceAll('-', '')}`;
}

export const endpointIdPattern = /^we_[0-9a-f]{32}$/;

/** The id of a delivery to an endpoint. It sorts by time, as the ids of all deliveries do. */
export function deliveryIdTo(endpoint: string, uuid: string): string {
  return `${uuid}.${endpoint}`;
}

/** The endpoint of a delivery; undefined for one to the target of the job. */
export function endpointOf(deliveryId: string): string | undefined {
  return deliveryId.split('.')[1];
}

/** Whether an endpoint gets the event of a job that has ended. */
export function wantsEvent({ disabled, states, metadata = {} }: WebhookEndpoint, { state, request }: Job): boolean {
  const own = request.metadata ?? {};
  const hasPairs = Object.entries(metadata).every(([key, value]) => Object.hasOwn(own, key) && own[key] === value);
  return !disabled && (states === undefined || states.some((wanted) => wanted === state)) && hasPairs;
}
