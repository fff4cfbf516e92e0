import type { RouteApp } from '../../adapters/runtime/http/route.ts';
import type { KeyTable } from '../../core/access/key-record.ts';
import type { getSettingsContract, setSettingsContract, updateSettingsContract } from '../../core/api/settings.ts';
import { invalidRequest } from '../../core/errors.ts';
import type { Clock, JobTable } from '../../core/jobs/ports.ts';
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
