import type { Clock } from '../../core/jobs/ports.ts';
import type { PostOutcome } from '../../core/net/post-outcome.ts';
import { activeSecrets } from '../../core/settings/owner-settings.ts';
import { signatureHeaders } from '../../core/webhooks/signature.ts';
import { ensureSigningSecrets, type SigningSecretsDeps } from './signing-secrets.ts';

export type PostWebhookDeps = SigningSecretsDeps & {
  post: (request: { url: string; headers: Record<string, string>; body: string }) => Promise<PostOutcome>;
  clock: Pick<Clock, 'now'>;
  /** Names the service and its version. */
  userAgent: string;
};

/** The secrets that sign an owner's webhooks at this moment. The first webhook of an owner makes the first secret. */
export async function activeSigningSecrets(ports: PostWebhookDeps, ownerId: string): Promise<string[]> {
  return activeSecrets(await ensureSigningSecrets(ports, ownerId), ports.clock.now());
}

/** POSTs a webhook once, signed for the moment at which it is sent. `id` is its `webhook-id`. */
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
