import { ConditionalCheckFailedException, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  type OwnerSettings,
  ownerSettingsSchema,
  type SettingsTable,
  type SigningSecrets,
} from '../../core/settings/owner-settings.ts';
import { type Condition, fromItem, getItem, type Item, setFields, toItem, updateItem, writeIf } from './item.ts';
import { ownerPartition, settingsSort } from './table-keys.ts';

export function settingsTable(client: DynamoDBClient, tableName: string): SettingsTable {
  const key = (ownerId: string) => toItem({ pk: ownerPartition(ownerId), sk: settingsSort });

  const get = async (ownerId: string): Promise<OwnerSettings> =>
    settingsFromItem(ownerId, await getItem(client, tableName, key(ownerId)));

  const putSecrets = async (
    ownerId: string,
    secrets: SigningSecrets,
    condition: Condition,
  ): Promise<SigningSecrets> => {
    try {
      await updateItem(client, tableName, key(ownerId), {
        UpdateExpression: 'SET signingSecrets = :secrets',
        ...condition,
        ExpressionAttributeValues: { ...condition.ExpressionAttributeValues, ...toItem({ ':secrets': secrets }) },
      });
      return secrets;
    } catch (cause) {
      if (!(cause instanceof ConditionalCheckFailedException)) throw cause;
      // The SDK retries an update whose response was lost. The first update has made the condition false.
      const { signingSecrets } = await get(ownerId);
      if (signingSecrets === undefined) throw cause;
      return signingSecrets;
    }
  };

  return {
    get,
    change: async (ownerId, change, now) => {
      const fields = setFields({ ...change, updatedAt: now.toISOString() });
      const changed = await updateItem(client, tableName, key(ownerId), { ...fields, ReturnValues: 'ALL_NEW' });
      return settingsFromItem(ownerId, changed);
    },
    ensureOwnerSince: async (ownerId, since) => {
      const changed = await updateItem(client, tableName, key(ownerId), {
        UpdateExpression: 'SET ownerSince = if_not_exists(ownerSince, :since)',
        ExpressionAttributeValues: toItem({ ':since': since }),
        ReturnValues: 'ALL_NEW',
      });
      return settingsFromItem(ownerId, changed).ownerSince ?? since;
    },
    markSlowReceivers: async (ownerId, until) => {
      await updateItem(client, tableName, key(ownerId), setFields({ slowReceiversUntil: until.toISOString() }));
    },
    replaceEndpoints: (ownerId, endpoints) => {
      const isFirst = endpoints.version === 1;
      const update = {
        UpdateExpression: 'SET webhookEndpoints = :endpoints',
        ConditionExpression: isFirst ? 'attribute_not_exists(webhookEndpoints)' : 'webhookEndpoints.#version = :before',
        ...(isFirst ? {} : { ExpressionAttributeNames: { '#version': 'version' } }),
        ExpressionAttributeValues: toItem({
          ':endpoints': endpoints,
          ...(isFirst ? {} : { ':before': endpoints.version - 1 }),
        }),
      };
      return writeIf(() => updateItem(client, tableName, key(ownerId), update));
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
