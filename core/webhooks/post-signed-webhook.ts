import type { Clock } from '../jobs/ports.ts';
import type { PostOutcome } from '../net/post-outcome.ts';
import {
  activeSecrets,
  type OwnerSettings,
  type SettingsTable,
  type SigningSecrets,
} from '../settings/owner-settings.ts';
import { newSigningSecret, signatureHeaders } from './signature.ts';

export type SigningSecretsDeps = {
  settings: SettingsTable;
  randomBytes: (size: number) => Uint8Array;
};

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
