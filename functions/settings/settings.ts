import type { RouteApp } from '../../adapters/runtime/http/route.ts';
import type { AuditLog } from '../../core/access/audit.ts';
import type { KeyTable } from '../../core/access/key-record.ts';
import type { listAuditContract } from '../../core/api/audit.ts';
import { readCursor, writeCursor } from '../../core/api/cursor.ts';
import type { getSettingsContract, setSettingsContract, updateSettingsContract } from '../../core/api/settings.ts';
import type { getWebhookSecretContract, rotateWebhookSecretContract } from '../../core/api/webhook-settings.ts';
import { invalidRequest } from '../../core/errors.ts';
import type { Clock, JobTable } from '../../core/jobs/ports.ts';
import { assertAllowedUrl, type UrlRules } from '../../core/net/check-url.ts';
import type { OwnerSettings, SettingsTable } from '../../core/settings/owner-settings.ts';
import type { StorageProviderTable } from '../../core/storage/provider.ts';
import { findUseProblem } from '../../core/storage/stage-bucket.ts';
import { ensureSigningSecrets, newSigningSecret, rotateSecrets, viewSecrets } from '../../core/webhooks/signature.ts';

export type ChangeSettingsDeps = {
  settings: SettingsTable;
  providers: Pick<StorageProviderTable, 'get'>;
  clock: Clock;
  webhookUrlRules: UrlRules;
};

export type GetSettingsDeps = Pick<ChangeSettingsDeps, 'settings' | 'clock'> & {
  jobs: Pick<JobTable, 'list'>;
  keys: Pick<KeyTable, 'list'>;
};

export function getSettings(deps: GetSettingsDeps): RouteApp<typeof getSettingsContract> {
  return async ({ principal: { ownerId } }) => {
    const stored = await deps.settings.get(ownerId);
    const updatedAt = stored.updatedAt ?? stored.ownerSince ?? (await findFirstRecord(deps, ownerId));
    return settingsResponse({ ...stored, updatedAt });
  };
}

/** When the first record of an owner was made: a job or a key, else the settings now. Found once, then it is stored. */
async function findFirstRecord({ settings, jobs, keys, clock }: GetSettingsDeps, ownerId: string): Promise<string> {
  const [{ jobs: oldest }, listed] = await Promise.all([
    jobs.list({ ownerId, limit: 1, order: 'asc' }),
    keys.list(ownerId),
  ]);
  const made = [...oldest, ...listed].map(({ createdAt }) => createdAt);
  return settings.ensureOwnerSince(ownerId, [...made, clock.now().toISOString()].toSorted()[0] ?? '');
}

/** Changes the default webhook URL, the default storage provider, or both. */
export function changeSettings(
  deps: ChangeSettingsDeps,
): RouteApp<typeof setSettingsContract> & RouteApp<typeof updateSettingsContract> {
  const { settings, providers, clock, webhookUrlRules } = deps;
  return async ({ body, principal: { ownerId } }) => {
    const { defaultWebhookUrl: url, defaultStorageProviderId: storageProviderId } = body;
    if (typeof url === 'string') assertAllowedUrl(url, 'defaultWebhookUrl', webhookUrlRules);
    if (typeof storageProviderId === 'string') {
      const provider = await providers.get({ ownerId, storageProviderId });
      const message = findUseProblem(provider, 'write');
      if (message !== undefined) throw invalidRequest([{ path: 'defaultStorageProviderId', message }]);
    }
    const now = clock.now();
    return settingsResponse({ updatedAt: now.toISOString(), ...(await settings.change(ownerId, body, now)) });
  };
}

function settingsResponse({
  defaultWebhookUrl,
  defaultStorageProviderId,
  updatedAt,
}: OwnerSettings & { updatedAt: string }) {
  return { status: 200, body: { defaultWebhookUrl, defaultStorageProviderId, updatedAt } } as const;
}

/** Lists a page of an owner's audit log, newest first. */
export function listAudit(log: AuditLog): RouteApp<typeof listAuditContract> {
  return async ({ query: { limit, cursor }, principal: { ownerId } }) => {
    const scope = { ownerId, list: 'audit' };
    const beforeId = cursor === undefined ? undefined : readCursor(scope, cursor);
    const { entries, lastId } = await log.list(ownerId, { limit, beforeId });
    return { status: 200, body: { entries, nextCursor: lastId === undefined ? null : writeCursor(scope, lastId) } };
  };
}

export type WebhookSecretDeps = { settings: SettingsTable; clock: Clock; randomBytes: (size: number) => Uint8Array };

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
