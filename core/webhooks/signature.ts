import { createHmac } from 'node:crypto';
import { AppError } from '../errors.ts';
import type { Clock } from '../jobs/ports.ts';
import type { PostOutcome } from '../net/ports.ts';
import {
  activeSecrets,
  type OwnerSettings,
  replacedSecrets,
  type SettingsTable,
  type SigningSecrets,
} from '../settings/owner-settings.ts';

/** A new signing secret in the format of Standard Webhooks: `whsec_` and 32 random bytes in base64. */
export function newSigningSecret(randomBytes: (size: number) => Uint8Array): string {
  return `whsec_${Buffer.from(randomBytes(32)).toString('base64')}`;
}

/**
 * The signature headers of a webhook (Standard Webhooks 1.0, "Signature scheme"): base64 HMAC-SHA256 of
 * `id.timestamp.body`, one `v1,` signature per secret, separated by spaces.
 */
export function signatureHeaders(
  { id, timestampSeconds, body }: { id: string; timestampSeconds: number; body: string },
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

export type SigningSecretsDeps = { settings: SettingsTable; randomBytes: (size: number) => Uint8Array };

export type PostWebhookDeps = SigningSecretsDeps & {
  post: (request: { url: string; headers: Record<string, string>; body: string }) => Promise<PostOutcome>;
  clock: Clock;
  /** `User-Agent` header: name and version of the service. */
  userAgent: string;
};

/** The secrets that sign an owner's webhooks. Creates the first one on demand: for the first webhook or API read. */
export async function ensureSigningSecrets(
  { settings, randomBytes }: SigningSecretsDeps,
  { ownerId, signingSecrets }: OwnerSettings,
): Promise<SigningSecrets> {
  return signingSecrets ?? settings.ensureSecrets(ownerId, { current: newSigningSecret(randomBytes) });
}

/** The secrets that sign an owner's webhooks at this moment: several after a rotation. */
export async function activeSigningSecrets(deps: PostWebhookDeps, owner: OwnerSettings): Promise<string[]> {
  return activeSecrets(await ensureSigningSecrets(deps, owner), deps.clock.now());
}

/** POSTs a webhook once, signed with the current time. `id` is its `webhook-id`. */
export function postSignedWebhook(
  { post, clock, userAgent }: PostWebhookDeps,
  { id, url, body, secrets }: { id: string; url: string; body: string; secrets: readonly string[] },
): Promise<PostOutcome> {
  const timestampSeconds = Math.floor(clock.now().getTime() / 1000);
  return post({
    url,
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': userAgent,
      ...signatureHeaders({ id, timestampSeconds, body }, secrets),
    },
  });
}
