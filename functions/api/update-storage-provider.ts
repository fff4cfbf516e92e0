import { route } from '../../adapters/runtime/http/route.ts';
import { writeProviderDeps } from '../../adapters/runtime/write-provider-deps.ts';
import { updateStorageProviderContract } from '../../core/api/storage-providers.ts';
import { updateStorageProvider } from './app/storage-providers.ts';

export const handler = route(updateStorageProviderContract, updateStorageProvider(writeProviderDeps()));
