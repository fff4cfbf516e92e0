import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { auditLog } from '../../../adapters/dynamodb/audit-log.ts';
import { keyTable } from '../../../adapters/dynamodb/key-table.ts';
import { settingsTable } from '../../../adapters/dynamodb/settings-table.ts';
import { newJobId } from '../../../adapters/system/clock.ts';
import { createKeyRecord, newApiKey } from '../../../core/access/key-record.ts';
import { allScopes } from '../../../core/access/scopes.ts';
import { newSigningSecret } from '../../../core/webhooks/signature.ts';

/** Manages keys and secrets like the dashboard, for any owner. */
export type OperatorAccess = {
  /** Returns the key, which is not stored. */
  create(key: { name: string; keyId: string; now: Date }): Promise<string>;
  /** One line per key: id, preview, creation time, name. */
  list(): Promise<string[]>;
  /** @throws Error if the owner has no such key */
  revoke(keyId: string, now: Date): Promise<void>;
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
  const record = (action: string, keyId: string, now: Date) => {
    const entry = { at: now.toISOString(), actor: 'operator', action, target: `keys/${keyId}` };
    return auditLog(client, tableName).append(ownerId, { id: newJobId(now), ...entry });
  };
  return {
    async create({ name, keyId, now }) {
      const key = newApiKey(randomBytes);
      await keys.create(createKeyRecord(key, { ownerId, keyId, name, now, scopes: allScopes }));
      await record('createKey', keyId, now);
      return key;
    },
    async list() {
      const found = await keys.list(ownerId);
      return found.map(({ keyId, preview, createdAt, name }) => [keyId, preview, createdAt, name].join('  '));
    },
    async revoke(keyId, now) {
      const found = await keys.find({ ownerId, keyId });
      if (found === undefined) throw new Error(`This owner has no key ${keyId}: use --list to list the existing keys.`);
      await keys.revoke(found);
      await record('deleteKey', keyId, now);
    },
    async webhookSecret() {
      const made = { current: newSigningSecret(randomBytes) };
      return (await settingsTable(client, tableName).ensureSecrets(ownerId, made)).current;
    },
  };
}
