import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HeadObjectCommand } from '@aws-sdk/client-s3';
import { emulatorTraffic, s3Credentials, startS3 } from '@media-jobs/local-stage/emulators';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import type { HttpRequest } from '@smithy/protocol-http';
import { expect, it, onTestFinished } from 'vitest';
import { objectStore } from '../../../adapters/storage/object-store.ts';
import { providerClient } from '../../../adapters/storage/provider-client.ts';
import { providerBucketUrl } from '../../../core/storage/provider-rules.ts';
import { aBucket } from '../../builders/storage/a-bucket.ts';
import { aStorageProvider } from '../../builders/storage/a-storage-provider.ts';

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
  const { signal } = new AbortController();
  const begun = await store.begin({ key: 'video.mp4', mimeType: 'video/mp4', mark: 'job-1/1' }, signal);
  const etags = await store.send(begun, { path, signal, onProgress: () => undefined });
  await store.complete({ ...begun, etags, sizeBytes: 5 }, 'job-1/1');
  await expect(store.unfinished('video.mp4')).resolves.toEqual([]);
});

const account = '0123456789abcdef0123456789abcdef';

it.each([
  aStorageProvider({ kind: 's3', region: 'us-east-1' }),
  aStorageProvider({ kind: 's3', region: 'eu-central-1', bucket: 'media.example.com' }),
  aStorageProvider({ kind: 's3', region: 'us-gov-west-1' }),
  aStorageProvider({ kind: 's3', region: 'cn-north-1' }),
  aStorageProvider({ kind: 's3', region: 'eusc-de-east-1' }),
  aStorageProvider({ kind: 'r2', region: 'auto', endpoint: `https://${account}.eu.r2.cloudflarestorage.com` }),
  aStorageProvider({ kind: 'b2', region: 'eu-central-003' }),
  aStorageProvider({ kind: 'gcs', region: 'auto' }),
  aStorageProvider({ kind: 's3-compatible', endpoint: 'https://minio.example:9000' }),
  aStorageProvider({ kind: 's3-compatible', endpoint: 'https://s3.wasabi.example', forcePathStyle: false }),
])('signed URLs lead to the object that the client requests: $kind $region', async (provider) => {
  const { client, bucket } = providerClient(provider, { credentials: async () => s3Credentials, reachable: [] });
  onTestFinished(() => client.destroy());
  let requested = '';
  client.middlewareStack.add(
    () => async (args) => {
      const { protocol, hostname, port, path } = args.request as HttpRequest;
      requested = `${protocol}//${hostname}${port === undefined ? '' : `:${port}`}${path}`;
      throw new Error('Nothing is sent');
    },
    { step: 'finalizeRequest', priority: 'low' },
  );
  const command = new HeadObjectCommand({ Bucket: bucket, Key: 'film.mp4' });
  await expect(client.send(command)).rejects.toThrow('Nothing is sent');
  expect(`${providerBucketUrl(provider)}/film.mp4`).toBe(requested);
});
