import { createStorageProviderContract } from '../../core/api/storage-providers.ts';
import { route } from '../runtime/http/route.ts';
import { writeProviderDeps } from '../runtime/write-provider-deps.ts';
import { createStorageProvider } from './app/storage-providers.ts';

export const handler = route(createStorageProviderContract, createStorageProvider(writeProviderDeps()));
