import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { objectStore } from '../../../adapters/storage/object-store.ts';
import { providerClient } from '../../../adapters/storage/provider-client.ts';
import { startS3 } from '../../../local/emulators/s3.ts';
import { s3Credentials } from '../../../local/emulators/s3-signature.ts';
import { emulatorTraffic } from '../../../local/emulators/traffic.ts';
import { aBucket } from '../../builders/storage/a-bucket.ts';
import { aStorageProvider } from '../../builders/storage/a-storage-provider.ts';
import { aTemporaryFolder } from '../../builders/system/temporary-folder.ts';

it('sends Amazon S3 no checksum of a part, which it would reject: the upload was begun without an algorithm', async () => {
  const directory = await aTemporaryFolder();
  const { endpoint, stop } = await startS3(directory, emulatorTraffic());
  onTestFinished(stop);
  const provider = aStorageProvider({ kind: 's3' });
  await aBucket(endpoint, provider.bucket);
  const access = providerClient(provider, {
    credentials: async () => s3Credentials,
    reachable: [],
    awsEndpoint: endpoint,
  });
  onTestFinished(() => access.client.destroy());
  const store = objectStore(access, undefined);
  const path = join(directory, 'video.mp4');
  await writeFile(path, 'video');
  const begun = await store.begin({ key: 'video.mp4', mimeType: 'video/mp4', mark: 'job-1/1' });
  const { signal } = new AbortController();
  const etags = await store.send(begun, { path, signal, onProgress: () => undefined });
  await store.complete({ ...begun, etags, sizeBytes: 5 }, 'job-1/1');
  await expect(store.unfinished('video.mp4')).resolves.toEqual([]);
});
