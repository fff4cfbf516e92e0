import type { Clock } from '../../core/jobs/ports.ts';
import type { PostOutcome } from '../../core/net/post-outcome.ts';
import { activeSecrets, type SettingsTable } from '../../core/settings/owner-settings.ts';
import { newSigningSecret, signatureHeaders } from '../../core/webhooks/signature.ts';

export type PostingPorts = {
  settings: Pick<SettingsTable, 'get' | 'ensureSecrets'>;
  post: (request: { url: string; headers: Record<string, string>; body: string }) => Promise<PostOutcome>;
  clock: Pick<Clock, 'now'>;
  randomBytes: (size: number) => Uint8Array;
  /** Names the service and its version. */
  userAgent: string;
};

/** The secrets that sign an owner's webhooks at this moment. The first webhook of an owner makes the first secret. */
export async function signingSecrets(ports: PostingPorts, ownerId: string): Promise<string[]> {
  const { signingSecrets: stored } = await ports.settings.get(ownerId);
  const secrets =
    stored ?? (await ports.settings.ensureSecrets(ownerId, { current: newSigningSecret(ports.randomBytes) }));
  return activeSecrets(secrets, ports.clock.now());
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
