import type { Clock } from '../../core/jobs/ports.ts';
import type { PostOutcome } from '../../core/net/post-outcome.ts';
import { activeSecrets } from '../../core/settings/owner-settings.ts';
import { signatureHeaders } from '../../core/webhooks/signature.ts';
import { type OwnerSecretsPorts, ownerSecrets } from './owner-secrets.ts';

export type PostingPorts = OwnerSecretsPorts & {
  post: (request: { url: string; headers: Record<string, string>; body: string }) => Promise<PostOutcome>;
  clock: Pick<Clock, 'now'>;
  /** Names the service and its version. */
  userAgent: string;
};

/** The secrets that sign an owner's webhooks at this moment. The first webhook of an owner makes the first secret. */
export async function signingSecrets(ports: PostingPorts, ownerId: string): Promise<string[]> {
  return activeSecrets(await ownerSecrets(ports, ownerId), ports.clock.now());
}

/** POSTs a webhook once, signed for the moment at which it is sent. `id` is its `webhook-id`. */
export function postSigned(
  { post, clock, userAgent }: PostingPorts,
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
