import * as z from 'zod';
import { timestampSchema } from '../timestamp.ts';

/** The secrets that sign an owner's webhooks; the previous one signs along until it expires. */
export const signingSecretsSchema = z.object({
  current: z.string(),
  previous: z.string().optional(),
  previousExpiresAt: timestampSchema.optional(),
});

/** What an owner has chosen for all jobs, one item of the table; every field may be missing in an old one. */
export const ownerSettingsSchema = z.object({
  ownerId: z.string(),
  defaultWebhookUrl: z.string().nullable().default(null),
  defaultStorageProviderId: z.string().nullable().default(null),
  updatedAt: timestampSchema.optional(),
  signingSecrets: signingSecretsSchema.optional(),
});

export type OwnerSettings = z.infer<typeof ownerSettingsSchema>;
export type SigningSecrets = z.infer<typeof signingSecretsSchema>;

/** The secrets to sign with at this moment, the newest first. */
export function activeSecrets(secrets: SigningSecrets, now: Date): string[] {
  const { current, previous, previousExpiresAt } = secrets;
  const stillValid = previousExpiresAt !== undefined && now.toISOString() < previousExpiresAt;
  return previous !== undefined && stillValid ? [current, previous] : [current];
}

/** Where owners' settings are. Reads are strongly consistent; an owner who never set anything has the defaults. */
export type SettingsTable = {
  get(ownerId: string): Promise<OwnerSettings>;
  setDefaultWebhookUrl(ownerId: string, url: string | null, now: Date): Promise<OwnerSettings>;
  /** Stores the first secrets unless there are some, and returns those that are stored. */
  ensureSecrets(ownerId: string, secrets: SigningSecrets): Promise<SigningSecrets>;
  /** Stores these secrets if `expected` is still the current one, and returns those that are stored then. */
  replaceSecrets(
    ownerId: string,
    change: { expected: string; secrets: SigningSecrets },
  ): Promise<SigningSecrets>;
};
