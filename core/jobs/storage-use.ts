import { parseStorageUrl } from '../storage/storage-url.ts';
import type { Job } from './record.ts';
import { inputUrls } from './request-inputs.ts';
import { providersOf } from './stored-file.ts';

/** Whether a job writes its files to a storage provider or reads an input from it. */
export function namesProvider({ destination, request }: Job, storageProviderId: string): boolean {
  if (providersOf(destination).includes(storageProviderId)) return true;
  return inputUrls(request).some((url) => parseStorageUrl(url)?.storageProviderId === storageProviderId);
}
