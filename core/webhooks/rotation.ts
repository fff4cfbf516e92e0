import type { SigningSecrets } from '../settings/owner-settings.ts';

/** How long a replaced secret signs along, so that receivers can change over. */
const overlapMs = 24 * 3_600_000;

/** Puts a new secret in the place of the current one, which signs along for 24 hours. */
export function rotateSecrets(
  { current }: SigningSecrets,
  { newSecret, now }: { newSecret: string; now: Date },
): SigningSecrets {
  const previousExpiresAt = new Date(now.getTime() + overlapMs).toISOString();
  return { current: newSecret, previous: current, previousExpiresAt };
}

/** The secrets as their owner reads them: the current one, and until when the one before still signs. */
export function viewSecrets(
  { current, previousExpiresAt }: SigningSecrets,
  now: Date,
): { secret: string; previousSecretExpiresAt: string | null } {
  const stillSigns = previousExpiresAt !== undefined && now.toISOString() < previousExpiresAt;
  return { secret: current, previousSecretExpiresAt: stillSigns ? previousExpiresAt : null };
}
