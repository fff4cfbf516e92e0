import { createHmac } from 'node:crypto';
import type { SigningSecrets } from '../settings/owner-settings.ts';

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

/** How long webhooks are also signed with the previous secret, so that receivers can switch. */
const overlapMs = 24 * 3_600_000;

/** Replaces the current secret. It becomes the previous one and expires after 24 hours. */
export function rotateSecrets(
  { current }: SigningSecrets,
  { newSecret, now }: { newSecret: string; now: Date },
): SigningSecrets {
  const previousExpiresAt = new Date(now.getTime() + overlapMs).toISOString();
  return { current: newSecret, previous: current, previousExpiresAt };
}

/** Renders the secrets for API responses: the current one, and when the previous one expires. */
export function viewSecrets(
  { current, previousExpiresAt }: SigningSecrets,
  now: Date,
): { secret: string; previousSecretExpiresAt: string | null } {
  const stillSigns = previousExpiresAt !== undefined && now.toISOString() < previousExpiresAt;
  return { secret: current, previousSecretExpiresAt: stillSigns ? previousExpiresAt : null };
}
