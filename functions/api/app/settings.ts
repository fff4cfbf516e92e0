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

/** `updatedAt` of an owner who never set anything. */
const never = new Date(0).toISOString();

/** An owner's settings; those of one who never set any are empty, as of 1970. */
export function getSettings(settings: SettingsTable): RouteApp<typeof getSettingsContract> {
  return async ({ principal: { ownerId } }) => answer(await settings.get(ownerId));
}

/** Sets the default webhook URL, or clears it where the contract lets null through. */
export function changeSettings(
  ports: ChangeSettingsDeps,
): RouteApp<typeof setSettingsContract> & RouteApp<typeof updateSettingsContract> {
  const { settings, clock, webhookUrlRules } = ports;
  return async ({ body: { defaultWebhookUrl }, principal: { ownerId } }) => {
    if (defaultWebhookUrl !== null) assertAllowedUrl(defaultWebhookUrl, 'defaultWebhookUrl', webhookUrlRules);
    return answer(await settings.setDefaultWebhookUrl(ownerId, defaultWebhookUrl, clock.now()));
  };
}

function answer({ defaultWebhookUrl, defaultStorageProviderId, updatedAt = never }: OwnerSettings) {
  return { status: 200, body: { defaultWebhookUrl, defaultStorageProviderId, updatedAt } } as const;
}
