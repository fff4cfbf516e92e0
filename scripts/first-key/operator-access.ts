import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { keyTable } from '../../adapters/dynamodb/key-table.ts';
import { settingsTable } from '../../adapters/dynamodb/settings-table.ts';
import { newApiKey } from '../../core/access/api-key.ts';
import { createKeyRecord } from '../../core/access/key-record.ts';
import { ownerIdFromClaims } from '../../core/access/owner.ts';
import { newSigningSecret } from '../../core/webhooks/signature.ts';

/** What the dashboard does with keys and secrets, for an owner whom nobody can sign in as. */
export type OperatorAccess = {
  /** The key itself, which is stored nowhere. */
  make(key: { name: string; keyId: string; now: Date }): Promise<string>;
  /** A line for each key: its id, its beginning and end, when it was made, its name. */
  list(): Promise<string[]>;
  /** @throws Error where this owner has no such key */
  revoke(keyId: string): Promise<void>;
  /** The secret that signs the owner's webhooks, made here if no webhook has been sent yet. */
  webhookSecret(): Promise<string>;
};

type Place = {
  client: DynamoDBClient;
  tableName: string;
  /** A name of the operator's own. */
  owner: string;
  randomBytes: (size: number) => Uint8Array;
};

/** Works on the table of a stage with the credentials of AWS. */
export function operatorAccess({ client, tableName, owner, randomBytes }: Place): OperatorAccess {
  const keys = keyTable(client, tableName);
  // No provider of identities can be called so: nobody who signs in is ever this owner.
  const ownerId = ownerIdFromClaims({ issuer: 'operator', subject: owner, organisation: undefined });
  return {
    async make({ name, keyId, now }) {
      const key = newApiKey(randomBytes);
      await keys.create(createKeyRecord(key, { ownerId, keyId, name, now }));
      return key;
    },
    async list() {
      const found = await keys.list(ownerId);
      return found.map(({ keyId, preview, createdAt, name }) => [keyId, preview, createdAt, name].join('  '));
    },
    async revoke(keyId) {
      if (await keys.revoke({ ownerId, keyId })) return;
      throw new Error(`The owner "${owner}" has no key ${keyId}: --list shows those that there are.`);
    },
    async webhookSecret() {
      const made = { current: newSigningSecret(randomBytes) };
      return (await settingsTable(client, tableName).ensureSecrets(ownerId, made)).current;
    },
  };
}
