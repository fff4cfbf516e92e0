import type { SettingsTable, SigningSecrets } from '../../core/settings/owner-settings.ts';
import { newSigningSecret } from '../../core/webhooks/signature.ts';

export type SigningSecretsDeps = {
  settings: Pick<SettingsTable, 'get' | 'ensureSecrets'>;
  randomBytes: (size: number) => Uint8Array;
};

/** The secrets that sign an owner's webhooks. Whoever asks for them first, a webhook or a reader, makes the first. */
export async function ensureSigningSecrets(
  { settings, randomBytes }: SigningSecretsDeps,
  ownerId: string,
): Promise<SigningSecrets> {
  const { signingSecrets } = await settings.get(ownerId);
  return signingSecrets ?? settings.ensureSecrets(ownerId, { current: newSigningSecret(randomBytes) });
}
