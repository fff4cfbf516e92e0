import { createHmac } from 'node:crypto';
import type { SigningSecrets } from '../settings/owner-settings.ts';

/** A signing secret in the form of Standard Webhooks: `whsec_` and the base64 of 24 to 64 bytes. */
export function newSigningSecret(randomBytes: (size: number) => Uint8Array): string {
  return `whsec_${Buffer.from(randomBytes(32)).toString('base64')}`;
}

type Message = { id: string; timestampSeconds: number; body: string };

/**
 * The headers that sign a webhook, after the Standard Webhooks specification 1.0, "Signature scheme":
 * base64 HMAC-SHA256 of `id.timestamp.body`, one `v1,` signature for each secret, separated by spaces.
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
