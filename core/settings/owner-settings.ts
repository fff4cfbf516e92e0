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

/** The secrets that sign an owner's webhooks. A webhook has a signature by each secret that has not expired. */
export const signingSecretsSchema = z.object({
  current: z.string(),
  previous: z.string().optional(),
  previousExpiresAt: timestampSchema.optional(),
  /** Those before the previous one, newest first. Absent in items of older versions. */
  older: z.array(z.object({ secret: z.string(), expiresAt: timestampSchema })).optional(),
});

/** An owner's settings, one item of the table. Items of older versions may lack any field. */
export const ownerSettingsSchema = z.object({
  ownerId: z.string(),
  defaultWebhookUrl: z.string().nullable().default(null),
  defaultStorageProviderId: z.string().nullable().default(null),
  updatedAt: timestampSchema.optional(),
  /** When the owner's first record was made. Undefined until it is asked for. */
  ownerSince: timestampSchema.optional(),
  signingSecrets: signingSecretsSchema.optional(),
  webhookEndpoints: webhookEndpointsSchema.optional(),
  /** Until then some receivers of the owner may be slow: see `SlowDeliveries`. */
  slowReceiversUntil: timestampSchema.optional(),
});

export type OwnerSettings = z.infer<typeof ownerSettingsSchema>;
export type SettingsChange = { [Name in 'defaultWebhookUrl' | 'defaultStorageProviderId']?: string | null | undefined };
export type SigningSecrets = z.infer<typeof signingSecretsSchema>;

/** The secrets that sign webhooks now, newest first. */
export function activeSecrets(secrets: SigningSecrets, now: Date): string[] {
  return [secrets.current, ...replacedSecrets(secrets, now).map(({ secret }) => secret)];
}

/** The secrets before the current one that have not expired, newest first. */
export function replacedSecrets(
  { previous, previousExpiresAt, older = [] }: SigningSecrets,
  now: Date,
): NonNullable<SigningSecrets['older']> {
  const latest =
    previous === undefined || previousExpiresAt === undefined
      ? []
      : [{ secret: previous, expiresAt: previousExpiresAt }];
  return [...latest, ...older].filter(({ expiresAt }) => now.toISOString() < expiresAt);
}

/** The table of settings. Reads are strongly consistent. An owner without an item has the defaults. */
export type SettingsTable = {
  get(ownerId: string): Promise<OwnerSettings>;
  /** Stores when the owner's first record was made, unless it is stored. Returns the stored time. */
  ensureOwnerSince(ownerId: string, since: string): Promise<string>;
  /** Changes the given settings; the others stay. */
  change(ownerId: string, change: SettingsChange, now: Date): Promise<OwnerSettings>;
  markSlowReceivers(ownerId: string, until: Date): Promise<void>;
  /** Stores the endpoints if their version is the next one. */
  replaceEndpoints(ownerId: string, endpoints: WebhookEndpoints): Promise<boolean>;
  /** Stores the first secrets unless the owner has some. Returns the stored ones. */
  ensureSecrets(ownerId: string, secrets: SigningSecrets): Promise<SigningSecrets>;
  /** Stores the secrets if `expected` is still the current one. Returns the stored ones. */
  replaceSecrets(ownerId: string, change: { expected: string; secrets: SigningSecrets }): Promise<SigningSecrets>;
};
