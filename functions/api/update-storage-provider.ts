import { updateStorageProviderContract } from '../../core/api/storage-providers.ts';
import { route } from '../runtime/http/route.ts';
import { writeProviderDeps } from '../runtime/write-provider-deps.ts';
import { updateStorageProvider } from './app/storage-providers.ts';

export const handler = route(updateStorageProviderContract, updateStorageProvider(writeProviderDeps()));
