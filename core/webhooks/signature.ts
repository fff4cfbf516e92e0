import { createHmac } from 'node:crypto';
import { AppError } from '../errors.ts';
import { replacedSecrets, type SigningSecrets } from '../settings/owner-settings.ts';

/** A new signing secret in the format of Standard Webhooks: `whsec_` and 32 random bytes in base64. */
export function newSigningSecret(randomBytes: (size: number) => Uint8Array): string {
  return `whsec_${Buffer.from(randomBytes(32)).toString('base64')}`;
}

type Message = { id: string; timestampSeconds: number; body: string };

/**
 * The signature headers of a webhook (Standard Webhooks 1.0, "Signature scheme"): base64 HMAC-SHA256 of
 * `id.timestamp.body`, one `v1,` signature per secret, separated by spaces.
 */
export function signatureHeaders(
  { id, timestampSeconds, body }: Message,
  secrets: readonly string[],
): { 'webhook-id': string; 'webhook-timestamp': string; 'webhook-signature': string } {
  const content = `${id}.${timestampSeconds}.${body}`;
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': secrets.map((secret) => `v1,${sign(content, secret)}`).join(' '),
  };
}

function sign(content: string, secret: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return createHmac('sha256', key).update(content).digest('base64');
}

/** How long webhooks are also signed with a replaced secret, so that receivers can switch. */
const overlapMs = 24 * 3_600_000;

/** Secrets that sign at the same time: each adds a signature to the header of every webhook. */
const maxSecrets = 5;

/**
 * Replaces the current secret, which expires after 24 hours. The others keep signing until they expire.
 * @throws AppError SECRET_ROTATED_RECENTLY if five secrets sign already
 */
export function rotateSecrets(
  secrets: SigningSecrets,
  { newSecret, now }: { newSecret: string; now: Date },
): SigningSecrets {
  const older = replacedSecrets(secrets, now);
  const oldest = older.at(-1);
  if (oldest !== undefined && older.length + 2 > maxSecrets) {
    throw new AppError(
      'SECRET_ROTATED_RECENTLY',
      `${maxSecrets} secrets sign webhooks, which is the limit. Rotate again after ${oldest.expiresAt}, when the oldest expires.`,
    );
  }
  const previousExpiresAt = new Date(now.getTime() + overlapMs).toISOString();
  return { current: newSecret, previous: secrets.current, previousExpiresAt, older };
}

/** Renders the secrets for API responses: the current one, and when the previous one expires. */
export function viewSecrets(
  { current, previousExpiresAt }: SigningSecrets,
  now: Date,
): { secret: string; previousSecretExpiresAt: string | null } {
  const stillSigns = previousExpiresAt !== undefined && now.toISOString() < previousExpiresAt;
  return { secret: current, previousSecretExpiresAt: stillSigns ? previousExpiresAt : null };
}
