import type { SettingsTable, SigningSecrets } from '../../core/settings/owner-settings.ts';
import { newSigningSecret } from '../../core/webhooks/signature.ts';

export type OwnerSecretsPorts = {
  settings: Pick<SettingsTable, 'get' | 'ensureSecrets'>;
  randomBytes: (size: number) => Uint8Array;
};

/** The secrets that sign an owner's webhooks. Whoever asks for them first, a webhook or a reader, makes the first. */
export async function ownerSecrets(
  { settings, randomBytes }: OwnerSecretsPorts,
  ownerId: string,
): Promise<SigningSecrets> {
  const { signingSecrets } = await settings.get(ownerId);
  return signingSecrets ?? settings.ensureSecrets(ownerId, { current: newSigningSecret(randomBytes) });
}
