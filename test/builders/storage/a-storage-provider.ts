import type { StorageProvider } from '../../../core/storage/provider.ts';

/** A storage provider of `owner-1`. */
export function aStorageProvider(overrides: Partial<StorageProvider> = {}): StorageProvider {
  return {
    ownerId: 'owner-1',
    storageProviderId: 'sp_1',
    name: 'Ours',
    kind: 's3-compatible',
    bucket: 'videos',
    region: 'us-east-1',
    access: { type: 'keys', accessKeyId: 'A'.repeat(20), encryptedSecret: '' },
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    ...overrides,
  };
}
