import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { expect, it } from 'vitest';
import { objectStore } from '../../../adapters/storage/object-store.ts';
import { testProvider } from '../../../adapters/storage/test-provider.ts';
import { aProviderAt, aProviderClient } from '../../builders/storage/a-provider-client.ts';
import { aProviderServer } from '../../builders/storage/a-provider-server.ts';

it('a bucket whose Object Lock has a default retention gets the digest of each part and of the object of a test', async () => {
  const server = await aProviderServer({ bucket: 'retained' });
  // Amazon S3: "Content-MD5 OR x-amz-checksum- HTTP header is required for Put Part requests with Object Lock parameters".
  server.failWith(({ method, headers }) =>
    method === 'PUT' && headers['content-md5'] === undefined ? { status: 400, code: 'InvalidRequest' } : undefined,
  );
  const client = aProviderClient(server);
  const path = join(await aTemporaryFolder(), 'video.mp4');
  await writeFile(path, 'video');
  const store = objectStore(client, undefined);
  const signal = new AbortController().signal;
  const upload = await store.begin({ key: 'video.mp4', mimeType: 'video/mp4', mark: 'job-1/1' }, signal);
  const etags = await store.send(upload, { path, signal, onProgress: () => undefined });
  await store.complete({ ...upload, etags, sizeBytes: 5 }, 'job-1/1');
  expect(await server.objects()).toEqual(['video.mp4']);
  expect(await testProvider(aProviderAt(server), async () => client)).toMatchObject({ ok: true });
});
