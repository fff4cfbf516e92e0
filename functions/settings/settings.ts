import type { RouteApp } from '../../adapters/runtime/http/route.ts';
import type { getSettingsContract, setSettingsContract, updateSettingsContract } from '../../core/api/settings.ts';
import { invalidRequest } from '../../core/errors.ts';
import type { Clock } from '../../core/jobs/ports.ts';
import { assertAllowedUrl, type UrlRules } from '../../core/net/check-url.ts';
import type { OwnerSettings, SettingsTable } from '../../core/settings/owner-settings.ts';
import type { StorageProviderTable } from '../../core/storage/provider.ts';
import { findUseProblem } from '../../core/storage/stage-bucket.ts';

export type ChangeSettingsDeps = {
  settings: SettingsTable;
  providers: Pick<StorageProviderTable, 'get'>;
  clock: Clock;
  webhookUrlRules: UrlRules;
};

/** `updatedAt` of an owner who never changed a setting. */
const never = new Date(0).toISOString();

export function getSettings(settings: SettingsTable): RouteApp<typeof getSettingsContract> {
  return async ({ principal: { ownerId } }) => settingsResponse(await settings.get(ownerId));
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
    return settingsResponse(await settings.change(ownerId, body, clock.now()));
  };
}

function settingsResponse({ defaultWebhookUrl, defaultStorageProviderId, updatedAt = never }: OwnerSettings) {
  return { status: 200, body: { defaultWebhookUrl, defaultStorageProviderId, updatedAt } } as const;
}
