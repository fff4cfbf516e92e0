import { PutObjectCommand } from '@aws-sdk/client-s3';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { providerFiles } from '../../../adapters/storage/provider-files.ts';
import { aProviderClient } from '../../builders/storage/a-provider-client.ts';
import { aProviderServer } from '../../builders/storage/a-provider-server.ts';

const server = await aProviderServer({ bucket: 'bucket-of-a-customer' });

const put = (key: string, body: string) =>
  server.client.send(new PutObjectCommand({ Bucket: server.bucket, Key: key, Body: body }));

const files = (options: Parameters<typeof aProviderClient>[1] = {}) => {
  const bucketUrl = `${server.endpoint}/${server.bucket}`;
  return providerFiles(aProviderClient(server, options), bucketUrl, { now: () => new Date() });
};
const read = (key: string, options: Parameters<typeof aProviderClient>[1] = {}) => files(options).readText(key);

it.each(["It's a film (1)!*.mp4", 'a+b c%20d&e=f?g#h~_-.mp4', 'grüße/фильм.mp4'])(
  'a signed URL of a file at a storage provider opens the key %s',
  async (key) => {
    await put(key, key);
    const url = await files().sign({ key, filename: 'film.mp4', mimeType: 'video/mp4' });
    const response = await fetch(url);
    expect([response.status, await response.text()]).toEqual([200, key]);
  },
);

describe('a playlist at a storage provider', () => {
  it('is read', async () => {
    await put('hls.m3u8', '#EXTM3U\n# Grüße\n');
    expect(await read('hls.m3u8')).toBe('#EXTM3U\n# Grüße\n');
  });

  it('that is gone is NOT_FOUND', () => expect(read('gone.m3u8')).rejects.toMatchObject({ code: 'NOT_FOUND' }));

  it('above 8 MiB is PAYLOAD_TOO_LARGE', async () => {
    await put('large.m3u8', 'x'.repeat(8 * 1024 * 1024));
    expect(await read('large.m3u8')).toHaveLength(8 * 1024 * 1024);
    await put('larger.m3u8', 'x'.repeat(8 * 1024 * 1024 + 1));
    await expect(read('larger.m3u8')).rejects.toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
      message: expect.stringContaining('larger than 8 MiB'),
    });
  });

  it('whose key was revoked is UNAVAILABLE, with the answer of the provider', async () => {
    server.failWith(() => ({ status: 403, code: 'InvalidAccessKeyId' }));
    onTestFinished(() => server.failWith());
    await expect(read('hls.m3u8')).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: 'The file could not be read: the provider answered InvalidAccessKeyId (403).',
    });
  });

  it('whose provider is slow is UNAVAILABLE, with the limit', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(AbortSignal.abort());
    onTestFinished(() => timeout.mockRestore());
    await expect(read('hls.m3u8')).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: 'The file could not be read: the provider took longer than 5 s.',
    });
  });

  it('whose provider cannot be reached is UNAVAILABLE', async () => {
    await expect(read('hls.m3u8', { endpoint: 'http://127.0.0.1:1' })).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringMatching(/^The file could not be read: .*127\.0\.0\.1/),
    });
  });
});
