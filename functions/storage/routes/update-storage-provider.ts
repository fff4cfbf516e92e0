import { route } from '../../../adapters/runtime/http/route.ts';
import { updateStorageProviderContract } from '../../../core/api/storage-providers.ts';
import { updateStorageProvider } from '../storage-providers.ts';
import { writeProviderDeps } from './write-provider-deps.ts';

export const handler = route(updateStorageProviderContract, updateStorageProvider(writeProviderDeps()));
