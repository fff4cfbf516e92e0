import type {
  getWebhookSecretContract,
  rotateWebhookSecretContract,
} from '../../../core/api/webhook-settings.ts';
import type { Clock } from '../../../core/jobs/ports.ts';
import type { SettingsTable } from '../../../core/settings/owner-settings.ts';
import { newSigningSecret, rotateSecrets, viewSecrets } from '../../../core/webhooks/signature.ts';
import type { RouteApp } from '../../runtime/http/route.ts';
import { ensureSigningSecrets } from '../../webhooks/post-signed-webhook.ts';

export type WebhookSecretDeps = {
  settings: SettingsTable;
  clock: Clock;
  randomBytes: (size: number) => Uint8Array;
};

/** The secret that signs an owner's webhooks, made when it is first asked for. */
export function getWebhookSecret(ports: WebhookSecretDeps): RouteApp<typeof getWebhookSecretContract> {
  return async ({ principal: { ownerId } }) => {
    const secrets = await ensureSigningSecrets(ports, ownerId);
    return { status: 200, body: viewSecrets(secrets, ports.clock.now()) };
  };
}

/**
 * One conditional write over the secret that was read: of two rotations at once the second finds it gone and answers
 * with the first one's, so that the secret which receivers know signs along for its whole 24 hours.
 */
export function rotateWebhookSecret(ports: WebhookSecretDeps): RouteApp<typeof rotateWebhookSecretContract> {
  const { settings, clock, randomBytes } = ports;
  return async ({ principal: { ownerId } }) => {
    const newSecret = newSigningSecret(randomBytes);
    const { signingSecrets: stored } = await settings.get(ownerId);
    const secrets =
      stored === undefined
        ? await settings.ensureSecrets(ownerId, { current: newSecret })
        : await settings.replaceSecrets(ownerId, {
            expected: stored.current,
            secrets: rotateSecrets(stored, { newSecret, now: clock.now() }),
          });
    return { status: 200, body: viewSecrets(secrets, clock.now()) };
  };
}
