import type { RouteApp } from '../../adapters/runtime/http/route.ts';
import type { getWebhookSecretContract, rotateWebhookSecretContract } from '../../core/api/webhook-settings.ts';
import type { Clock } from '../../core/jobs/ports.ts';
import type { SettingsTable } from '../../core/settings/owner-settings.ts';
import { ensureSigningSecrets, newSigningSecret, rotateSecrets, viewSecrets } from '../../core/webhooks/signature.ts';

export type WebhookSecretDeps = {
  settings: SettingsTable;
  clock: Clock;
  randomBytes: (size: number) => Uint8Array;
};

/** Reads the secret that signs an owner's webhooks. It is created on first use. */
export function getWebhookSecret(deps: WebhookSecretDeps): RouteApp<typeof getWebhookSecretContract> {
  return async ({ principal: { ownerId } }) => {
    const secrets = await ensureSigningSecrets(deps, await deps.settings.get(ownerId));
    return { status: 200, body: viewSecrets(secrets, deps.clock.now()) };
  };
}

/**
 * Replaces the secret by a conditional write. Of two concurrent rotations the second returns the secret of the first, so
 * that the secret which receivers know stays valid for its whole 24 hours.
 */
export function rotateWebhookSecret(deps: WebhookSecretDeps): RouteApp<typeof rotateWebhookSecretContract> {
  const { settings, clock, randomBytes } = deps;
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
