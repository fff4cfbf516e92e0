import { route } from '../../adapters/runtime/http/route.ts';
import { writeProviderDeps } from '../../adapters/runtime/write-provider-deps.ts';
import { createStorageProviderContract } from '../../core/api/storage-providers.ts';
import { createStorageProvider } from './app/storage-providers.ts';

export const handler = route(createStorageProviderContract, createStorageProvider(writeProviderDeps()));
