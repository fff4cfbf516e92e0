import * as z from 'zod';
import { arn } from '../aws-names.ts';
import type { AccessRequest } from './access-request.ts';

/** A KMS key with the aliases that name it. */
export type KmsKey = { id: string; arn: string; aliases: readonly string[] };

/** Finds a key by its id, its ARN or an alias. */
export function findKey(keyId: string, keys: readonly KmsKey[]): KmsKey | undefined {
  return keys.find(({ id, arn: keyArn, aliases }) => [id, keyArn, ...aliases].includes(keyId));
}

const kmsBody = z.object({
  KeyId: z.string().optional(),
  EncryptionContext: z.record(z.string(), z.string()).default({}),
});

/** The permission that a KMS request needs, on the key behind its id or alias. */
export function kmsAccess(operation: string, json: unknown, keys: readonly KmsKey[]): AccessRequest[] {
  const { KeyId = '*', EncryptionContext } = kmsBody.parse(json);
  const key = findKey(KeyId, keys);
  const contextKeys = Object.keys(EncryptionContext);
  return [
    {
      action: `kms:${operation}`,
      resourceArn: key?.arn ?? arn('kms', `key/${KeyId}`),
      context: {
        ...(key === undefined ? {} : { 'kms:ResourceAliases': [...key.aliases] }),
        ...(contextKeys.length === 0 ? {} : { 'kms:EncryptionContextKeys': contextKeys }),
        ...Object.fromEntries(
          Object.entries(EncryptionContext).map(([name, value]) => [`kms:EncryptionContext:${name}`, value]),
        ),
      },
    },
  ];
}
