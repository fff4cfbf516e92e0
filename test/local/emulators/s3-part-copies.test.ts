import {
  CreateMultipartUploadCommand,
  UploadPartCopyCommand,
  type UploadPartCopyCommandInput,
} from '@aws-sdk/client-s3';
import { describe, expect, it } from 'vitest';
import { aMediaBucket } from '../../builders/storage/a-media-bucket.ts';

const mebibyte = 1024 * 1024;

/** An upload, and an object of 6 MiB and one of a kilobyte to copy from. */
async function anUpload() {
  const { client, bucket, put } = await aMediaBucket();
  const etag = await put('large +1', Buffer.alloc(6 * mebibyte, 1));
  await put('small', Buffer.alloc(1000));
  const target = { Bucket: bucket, Key: 'joined' };
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(target));
  const copy = (changes: Partial<UploadPartCopyCommandInput> = {}) =>
    client.send(
      new UploadPartCopyCommand({
        ...target,
        UploadId,
        PartNumber: 1,
        CopySource: `${bucket}/large%20%2B1`,
        CopySourceIfMatch: etag,
        ...changes,
      }),
    );
  return { copy };
}

describe('a copied part', () => {
  it('has the ETag and the checksum of its range', async () => {
    const { copy } = await anUpload();
    const { CopyPartResult: first } = await copy({ CopySourceRange: `bytes=0-${mebibyte - 1}` });
    const { CopyPartResult: second } = await copy({ CopySourceRange: `bytes=7-${mebibyte + 6}` });
    expect(first).toMatchObject({ ETag: expect.stringMatching(/^"[0-9a-f]{32}"$/), ChecksumCRC32: expect.any(String) });
    expect(second).toMatchObject({ ETag: first?.ETag, ChecksumCRC32: first?.ChecksumCRC32 });
    expect((await copy()).CopyPartResult?.ETag).not.toBe(first?.ETag);
  });

  it.each<[string, string, Partial<UploadPartCopyCommandInput>]>([
    ['of another version', 'PreconditionFailed', { CopySourceIfMatch: '"other"' }],
    ['behind the end of its source', 'InvalidArgument', { CopySourceRange: `bytes=0-${6 * mebibyte}` }],
    ['of an unknown upload', 'NoSuchUpload', { UploadId: '0123456789abcdef' }],
    ['of an object that is missing', 'NoSuchKey', { CopySource: 'media/none' }],
    [
      'that is a range of an object of at most 5 MB',
      'InvalidArgument',
      { CopySource: 'media/small', CopySourceIfMatch: undefined, CopySourceRange: 'bytes=0-9' },
    ],
  ])('%s is rejected', async (_, name, changes) => {
    const { copy } = await anUpload();
    await expect(copy(changes)).rejects.toMatchObject({ name });
  });
});
