import { type OwnerSettings, ownerSettingsSchema, type SettingsTable } from '../../../core/settings/owner-settings.ts';

/** Owners' settings in memory. */
export function memorySettingsTable(): SettingsTable {
  const stored = new Map<string, OwnerSettings>();
  const find = (ownerId: string) => stored.get(ownerId) ?? ownerSettingsSchema.parse({ ownerId });
  const change = (ownerId: string, fields: Partial<OwnerSettings>) => {
    const settings = { ...find(ownerId), ...fields };
    stored.set(ownerId, settings);
    return settings;
  };

  return {
    get: async (ownerId) => find(ownerId),
    change: async (ownerId, fields, now) => {
      const defined = Object.entries(fields).filter(([, value]) => value !== undefined);
      return change(ownerId, { ...Object.fromEntries(defined), updatedAt: now.toISOString() });
    },
    ensureOwnerSince: async (ownerId, since) =>
      change(ownerId, { ownerSince: find(ownerId).ownerSince ?? since }).ownerSince ?? since,
    markSlowReceivers: async (ownerId, until) => {
      change(ownerId, { slowReceiversUntil: until.toISOString() });
    },
    replaceEndpoints: async (ownerId, webhookEndpoints) => {
      if ((find(ownerId).webhookEndpoints?.version ?? 0) !== webhookEndpoints.version - 1) return false;
      change(ownerId, { webhookEndpoints });
      return true;
    },
    ensureSecrets: async (ownerId, secrets) => {
      const { signingSecrets } = find(ownerId);
      if (signingSecrets !== undefined) return signingSecrets;
      change(ownerId, { signingSecrets: secrets });
      return secrets;
    },
    replaceSecrets: async (ownerId, { expected, secrets }) => {
      const { signingSecrets } = find(ownerId);
      if (signingSecrets === undefined) throw new Error(`Owner ${ownerId} has no signing secret to replace`);
      if (signingSecrets.current !== expected) return signingSecrets;
      change(ownerId, { signingSecrets: secrets });
      return secrets;
    },
  };
}
