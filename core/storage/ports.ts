import type { SecretCipher } from '../secret-cipher.ts';
import type { ProviderTest, StorageProvider, StorageProviderRef } from './provider.ts';

/** The table of storage providers. Reads are strongly consistent. */
export type StorageProviderTable = {
  get(ref: StorageProviderRef): Promise<StorageProvider | undefined>;
  /** Oldest first. */
  list(ownerId: string): Promise<StorageProvider[]>;
  create(provider: StorageProvider): Promise<void>;
  /** Replaces the provider's version of `before`; false if there is another version or none. */
  replace(provider: StorageProvider, before: Pick<StorageProvider, 'updatedAt'>): Promise<boolean>;
  remove(ref: StorageProviderRef): Promise<void>;
  /** Records a test of the provider's version of `updatedAt`; does nothing if it has changed since. */
  recordTest(
    tested: Pick<StorageProvider, 'ownerId' | 'storageProviderId' | 'updatedAt'>,
    test: ProviderTest,
  ): Promise<void>;
};

/** Encrypts the secrets of providers. */
export type ProviderSecretCipher = SecretCipher<StorageProviderRef>;

/** The result of a test: a sentence that names the failed step and the provider's own error code. */
export type TestResult = { ok: boolean; message: string };

/** Writes, reads, lists and removes one small object of a provider. */
export type TestStorageProvider = (provider: StorageProvider) => Promise<TestResult>;
