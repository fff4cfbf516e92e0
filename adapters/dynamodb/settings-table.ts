import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  type OwnerSettings,
  ownerSettingsSchema,
  type SettingsTable,
  type SigningSecrets,
} from '../../core/settings/owner-settings.ts';
import { type Condition, fromItem, type Item, openTable, toItem } from './table.ts';
import { ownerPartition, settingsSort } from './table-keys.ts';

export function settingsTable(client: DynamoDBClient, tableName: string): SettingsTable {
  const table = openTable(client, tableName);
  const key = (ownerId: string) => toItem({ pk: ownerPartition(ownerId), sk: settingsSort });

  const get = async (ownerId: string): Promise<OwnerSettings> =>
    settingsFromItem(ownerId, await table.get(key(ownerId)));

  const putSecrets = async (
    ownerId: string,
    secrets: SigningSecrets,
    condition: Condition,
  ): Promise<SigningSecrets> => {
    if ((await table.set(key(ownerId), { signingSecrets: secrets }, condition)) !== undefined) return secrets;
    // The SDK retries an update whose response was lost. The first update has made the condition false.
    const { signingSecrets } = await get(ownerId);
    if (signingSecrets === undefined) throw new Error(`The owner ${ownerId} has no signing secrets to replace`);
    return signingSecrets;
  };

  return {
    get,
    change: async (ownerId, change, now) => {
      const fields = { ...change, updatedAt: now.toISOString() };
      return settingsFromItem(ownerId, await table.set(key(ownerId), fields));
    },
    ensureOwnerSince: async (ownerId, since) => {
      const item = await table.update(key(ownerId), {
        UpdateExpression: 'SET ownerSince = if_not_exists(ownerSince, :since)',
        ExpressionAttributeValues: toItem({ ':since': since }),
        ReturnValues: 'ALL_NEW',
      });
      return settingsFromItem(ownerId, item).ownerSince ?? since;
    },
    markSlowReceivers: async (ownerId, until) => {
      await table.set(key(ownerId), { slowReceiversUntil: until.toISOString() });
    },
    replaceEndpoints: async (ownerId, endpoints) => {
      const isNext =
        endpoints.version === 1
          ? { ConditionExpression: 'attribute_not_exists(webhookEndpoints)' }
          : {
              ConditionExpression: 'webhookEndpoints.#version = :before',
              ExpressionAttributeNames: { '#version': 'version' },
              ExpressionAttributeValues: toItem({ ':before': endpoints.version - 1 }),
            };
      return (await table.set(key(ownerId), { webhookEndpoints: endpoints }, isNext)) !== undefined;
    },
    ensureSecrets: (ownerId, secrets) =>
      putSecrets(ownerId, secrets, { ConditionExpression: 'attribute_not_exists(signingSecrets)' }),
    replaceSecrets: (ownerId, { expected, secrets }) =>
      putSecrets(ownerId, secrets, {
        ConditionExpression: 'signingSecrets.#current = :expected',
        ExpressionAttributeNames: { '#current': 'current' },
        ExpressionAttributeValues: toItem({ ':expected': expected }),
      }),
  };
}

function settingsFromItem(ownerId: string, item: Item | undefined): OwnerSettings {
  return ownerSettingsSchema.parse({ ...(item && fromItem(item)), ownerId });
}
