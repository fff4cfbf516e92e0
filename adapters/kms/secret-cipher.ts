import { DecryptCommand, EncryptCommand, type KMSClient } from '@aws-sdk/client-kms';
import type { SecretCipher } from '../../core/storage/ports.ts';
import type { StorageProviderRef } from '../../core/storage/provider.ts';

/** Encrypts secrets of storage providers by one KMS key. Owner and provider are the encryption context. */
export function secretCipher(client: KMSClient, keyId: string): SecretCipher {
  const contextOf = ({ ownerId, storageProviderId }: StorageProviderRef) => ({ ownerId, storageProviderId });
  return {
    encrypt: async (secret, ref) => {
      const { CiphertextBlob } = await client.send(
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
      const { Plaintext } = await client.send(
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
