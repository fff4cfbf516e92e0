import type {
  getSettingsContract,
  setSettingsContract,
  updateSettingsContract,
} from '../../../core/api/settings.ts';
import type { Clock } from '../../../core/jobs/ports.ts';
import type { UrlRules } from '../../../core/net/check-url.ts';
import { assertAllowedUrl } from '../../../core/net/check-url.ts';
import type { OwnerSettings, SettingsTable } from '../../../core/settings/owner-settings.ts';
import type { RouteApp } from '../../runtime/http/route.ts';

export type ChangeSettingsDeps = {
  settings: SettingsTable;
  clock: Clock;
  webhookUrlRules: UrlRules;
};

/** `updatedAt` of an owner who never changed a setting. */
const never = new Date(0).toISOString();

export function getSettings(settings: SettingsTable): RouteApp<typeof getSettingsContract> {
  return async ({ principal: { ownerId } }) => settingsResponse(await settings.get(ownerId));
}

/** Sets the default webhook URL, or clears it if the contract allows null. */
export function changeSettings(
  deps: ChangeSettingsDeps,
): RouteApp<typeof setSettingsContract> & RouteApp<typeof updateSettingsContract> {
  const { settings, clock, webhookUrlRules } = deps;
  return async ({ body: { defaultWebhookUrl }, principal: { ownerId } }) => {
    if (defaultWebhookUrl !== null) assertAllowedUrl(defaultWebhookUrl, 'defaultWebhookUrl', webhookUrlRules);
    return settingsResponse(await settings.setDefaultWebhookUrl(ownerId, defaultWebhookUrl, clock.now()));
  };
}

function settingsResponse({ defaultWebhookUrl, defaultStorageProviderId, updatedAt = never }: OwnerSettings) {
  return { status: 200, body: { defaultWebhookUrl, defaultStorageProviderId, updatedAt } } as const;
}
