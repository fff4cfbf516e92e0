import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { keyTable } from '../../../adapters/dynamodb/key-table.ts';
import { settingsTable } from '../../../adapters/dynamodb/settings-table.ts';
import { newApiKey } from '../../../core/access/api-key.ts';
import { createKeyRecord } from '../../../core/access/key-record.ts';
import { allScopes } from '../../../core/access/scopes.ts';
import { newSigningSecret } from '../../../core/webhooks/signature.ts';

/** Manages keys and secrets like the dashboard, for any owner. */
export type OperatorAccess = {
  /** Returns the key, which is not stored. */
  create(key: { name: string; keyId: string; now: Date }): Promise<string>;
  /** One line per key: id, preview, creation time, name. */
  list(): Promise<string[]>;
  /** @throws Error if the owner has no such key */
  revoke(keyId: string): Promise<void>;
  /** Returns the secret that signs the owner's webhooks; creates it if there is none. */
  webhookSecret(): Promise<string>;
};

type OperatorAccessOptions = {
  client: DynamoDBClient;
  tableName: string;
  ownerId: string;
  randomBytes: (size: number) => Uint8Array;
};

export function operatorAccess({ client, tableName, ownerId, randomBytes }: OperatorAccessOptions): OperatorAccess {
  const keys = keyTable(client, tableName);
  return {
    async create({ name, keyId, now }) {
      const key = newApiKey(randomBytes);
      await keys.create(createKeyRecord(key, { ownerId, keyId, name, now, scopes: allScopes }));
      return key;
    },
    async list() {
      const found = await keys.list(ownerId);
      return found.map(({ keyId, preview, createdAt, name }) => [keyId, preview, createdAt, name].join('  '));
    },
    async revoke(keyId) {
      const record = await keys.find({ ownerId, keyId });
      if (record === undefined) {
        throw new Error(`This owner has no key ${keyId}: use --list to list the existing keys.`);
      }
      await keys.revoke(record);
    },
    async webhookSecret() {
      const made = { current: newSigningSecret(randomBytes) };
      return (await settingsTable(client, tableName).ensureSecrets(ownerId, made)).current;
    },
  };
}
