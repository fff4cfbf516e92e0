import { DecryptCommand, EncryptCommand, KMSClient } from '@aws-sdk/client-kms';
import * as z from 'zod';
import type { ContentKeyCipher } from '../../core/jobs/ports.ts';
import type { SecretCipher } from '../../core/secret-cipher.ts';
import type { ProviderSecretCipher } from '../../core/storage/provider.ts';
import { clientSettings, ofJob } from './clients/client-settings.ts';
import { readEnv } from './env.ts';

let client: KMSClient | undefined;

/** The KMS client of a function, made at its first use: most requests have no secret. */
function kms(): KMSClient {
  client ??= new KMSClient({ ...clientSettings, ...ofJob });
  return client;
}

export function providerSecrets(): ProviderSecretCipher {
  return secretCipher(kms, readKeyId(), ['ownerId', 'storageProviderId']);
}

export function contentKeys(): ContentKeyCipher {
  return secretCipher(kms, readKeyId(), ['ownerId', 'jobId']);
}

function readKeyId(): string {
  return readEnv(z.object({ SECRETS_KEY_ID: z.string() })).SECRETS_KEY_ID;
}

/** Encrypts secrets by one KMS key. The named fields of their reference are the encryption context. */
function secretCipher<Name extends string>(
  client: () => KMSClient,
  keyId: string,
  contextNames: readonly Name[],
): SecretCipher<Readonly<Record<Name, string>>> {
  const contextOf = (ref: Readonly<Record<Name, string>>) =>
    Object.fromEntries(contextNames.map((name) => [name, ref[name]]));
  return {
    encrypt: async (secret, ref) => {
      const { CiphertextBlob } = await client().send(
        new EncryptCommand({
          KeyId: keyId,
          Plaintext: new TextEncoder().encode(secret),
          EncryptionContext: contextOf(ref),
        }),
      );
      if (CiphertextBlob === undefined) throw new Error('KMS answered without a ciphertext');
      return Buffer.from(CiphertextBlob).toString('base64');
    },
    decrypt: async (encrypted, ref) => {
      const { Plaintext } = await client().send(
        new DecryptCommand({
          KeyId: keyId,
          CiphertextBlob: Buffer.from(encrypted, 'base64'),
          EncryptionContext: contextOf(ref),
        }),
      );
      if (Plaintext === undefined) throw new Error('KMS answered without a plaintext');
      return new TextDecoder().decode(Plaintext);
    },
  };
}
