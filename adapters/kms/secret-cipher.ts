import { DecryptCommand, EncryptCommand, type KMSClient } from '@aws-sdk/client-kms';
import type { SecretCipher } from '../../core/secret-cipher.ts';

/** Encrypts secrets by one KMS key. The named fields of their reference are the encryption context. */
export function secretCipher<Name extends string>(
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
