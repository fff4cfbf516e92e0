import { answerRoutes } from '../../adapters/runtime/http/answer-routes.ts';
import { handler as createStorageProvider } from './routes/create-storage-provider.ts';
import { handler as deleteStorageProvider } from './routes/delete-storage-provider.ts';
import { handler as getExternalId } from './routes/get-external-id.ts';
import { handler as getStorageProvider } from './routes/get-storage-provider.ts';
import { handler as listStorageProviders } from './routes/list-storage-providers.ts';
import { handler as testStorageProvider } from './routes/test-storage-provider.ts';
import { handler as updateStorageProvider } from './routes/update-storage-provider.ts';

export const handler = answerRoutes<'storage'>({
  listStorageProviders,
  createStorageProvider,
  getExternalId,
  getStorageProvider,
  updateStorageProvider,
  deleteStorageProvider,
  testStorageProvider,
});
