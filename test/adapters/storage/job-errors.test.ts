import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { expect, it } from 'vitest';
import { downloadObject } from '../../../adapters/s3/download-upload.ts';
import { withInputErrors } from '../../../adapters/storage/provider-error.ts';
import { aProviderClient } from '../../builders/storage/a-provider-client.ts';
import { aProviderServer } from '../../builders/storage/a-provider-server.ts';

it.each([
  ['NoSuchKey', 404, 'There is no such object in the bucket of the storage provider'],
  [
    'AccessDenied',
    403,
    'The input could not be read: the provider answered AccessDenied (403). Check the key too: a missing object that may not be listed is denied as well.',
  ],
  ['InvalidAccessKeyId', 403, 'The input could not be read: the provider answered InvalidAccessKeyId (403).'],
])('an input to which its provider answers %s says so', async (code, status, message) => {
  const server = await aProviderServer({ bucket: 'bucket-of-a-customer' });
  server.failWith(() => ({ status, code }));
  const path = `${await aTemporaryFolder()}/input`;
  const { signal } = new AbortController();
  const request = { key: 'missing.mp4', path, maxBytes: 1, signal, onProgress: () => undefined };
  await expect(withInputErrors(() => downloadObject(aProviderClient(server), request), signal)).rejects.toMatchObject({
    code: 'INPUT_UNREACHABLE',
    retryable: false,
    message,
  });
});
