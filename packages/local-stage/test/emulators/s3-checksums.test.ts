import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { afterUse } from '@media-jobs/testing/after-use';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { beforeEach, describe, expect, it } from 'vitest';
import { clientOptions } from '../../src/aws-names.ts';
import { createBuckets, startS3 } from '../../src/emulators/s3.ts';
import { s3Credentials } from '../../src/emulators/s3-signature.ts';
import { emulatorTraffic } from '../../src/emulators/traffic.ts';

type Emulator = Awaited<ReturnType<typeof startS3>>;
let emulator: Emulator;
let client: S3Client;
const object = { Bucket: 'media', Key: 'a' };

beforeEach(async () => {
  emulator = await startS3(await aTemporaryFolder(), emulatorTraffic());
  afterUse(emulator.stop);
  await createBuckets(emulator.endpoint, [{ name: 'media' }]);
  // The defaults of the SDK: a CRC32 with every upload.
  client = new S3Client({ ...clientOptions(emulator.endpoint), credentials: s3Credentials, forcePathStyle: true });
  afterUse(() => client.destroy());
});

const stored = async () => (await client.send(new GetObjectCommand(object))).Body?.transformToString();

function crc32Of(content: string): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(content));
  return bytes.toString('base64');
}

/** Sends a PUT with these headers, its body in two writes that cut it at `cut`. Returns status and body. */
async function put(headers: Record<string, string>, body: string, cut = 0) {
  const now = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const credential = `S3RVER/${now.slice(0, 8)}/us-east-1/s3/aws4_request`;
  const sent = request(`${emulator.endpoint}/media/a`, {
    method: 'PUT',
    headers: {
      'x-amz-date': now,
      'x-amz-content-sha256': 'UNSIGNED-PAYLOAD',
      authorization: `AWS4-HMAC-SHA256 Credential=${credential},SignedHeaders=host,Signature=local`,
      'content-length': body.length,
      ...headers,
    },
  });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  sent.on('error', reject);
  sent.on('response', async (response) => resolve(`${response.statusCode} ${await text(response)}`));
  sent.write(body.slice(0, cut), () => sent.end(body.slice(cut)));
  return promise;
}

describe('the checksum of an upload', () => {
  it('is verified as the SDK sends it with text', async () => {
    const { ChecksumCRC32 } = await client.send(new PutObjectCommand({ ...object, Body: 'text' }));
    expect([ChecksumCRC32, await stored()]).toEqual([crc32Of('text'), 'text']);
  });

  it('is verified as the SDK sends it after a stream, in the trailer of chunks', async () => {
    const Body = Readable.from([Buffer.from('first '), Buffer.from('second')]);
    const ContentEncoding = 'gzip';
    const command = new PutObjectCommand({ ...object, Body, ContentLength: 12, ContentEncoding });
    const { ChecksumCRC32 } = await client.send(command);
    expect([ChecksumCRC32, await stored()]).toEqual([crc32Of('first second'), 'first second']);
    const { ContentEncoding: encoding } = await client.send(new GetObjectCommand(object));
    expect(encoding).toBe('gzip');
  });

  it('is verified for each part of a multipart upload', async () => {
    const begin = new CreateMultipartUploadCommand({ ...object, ChecksumAlgorithm: 'CRC32' });
    const { UploadId } = await client.send(begin);
    const part = { ...object, UploadId, PartNumber: 1 };
    const { ETag, ChecksumCRC32 } = await client.send(new UploadPartCommand({ ...part, Body: 'part' }));
    expect(ChecksumCRC32).toBe(crc32Of('part'));
    const Parts = [{ PartNumber: 1, ETag, ChecksumCRC32 }];
    await client.send(new CompleteMultipartUploadCommand({ ...object, UploadId, MultipartUpload: { Parts } }));
    expect(await stored()).toBe('part');
  });

  it.each([
    ['no algorithm', {}, 'null'],
    ['another algorithm', { ChecksumAlgorithm: 'SHA256' } as const, 'sha256'],
  ])('is rejected for a part of an upload that was begun with %s', async (_, options, expected) => {
    const begin = new CreateMultipartUploadCommand({ ...object, ...options });
    const { UploadId } = await client.send(begin);
    const part = { ...object, UploadId, PartNumber: 1, ChecksumAlgorithm: 'CRC32' } as const;
    const message = `Checksum Type mismatch occurred, expected checksum Type: ${expected}, actual checksum Type: crc32`;
    await expect(client.send(new UploadPartCommand({ ...part, Body: 'part' }))).rejects.toThrow(message);
  });

  it.each([
    ['crc32', crc32Of('text')],
    ['sha1', createHash('sha1').update('text').digest('base64')],
    ['sha256', createHash('sha256').update('text').digest('base64')],
  ])('is accepted as %s, and an upload that differs from it fails and is removed', async (name, checksum) => {
    const header = { [`x-amz-checksum-${name}`]: checksum };
    expect(await put(header, 'text')).toBe('200 ');
    const message = `The ${name.toUpperCase()} you specified did not match the calculated checksum.`;
    const rejected = await put(header, 'tExt');
    expect(rejected).toContain('400 ');
    expect(rejected).toContain('<Code>BadDigest</Code>');
    expect(rejected).toContain(message);
    await expect(stored()).rejects.toMatchObject({ name: 'NoSuchKey' });
  });

  it('of another algorithm is not ignored', async () => {
    expect(await put({ 'x-amz-checksum-crc64nvme': 'AAAAAAAAAAA=' }, 'text')).toContain('501 ');
  });
});

describe('an upload in chunks', () => {
  const headers = { 'content-encoding': 'aws-chunked', 'x-amz-trailer': 'x-amz-checksum-crc32' };
  const chunks = (trailer: string) => `5;chunk-signature=abc\r\n0123\n\r\n3\r\n567\r\n0\r\n${trailer}`;
  const trailer = `x-amz-checksum-crc32:${crc32Of('0123\n567')}\r\n\r\n`;

  it('is decoded wherever the network cuts it', async () => {
    const body = chunks(trailer);
    for (const cut of Array.from(body, (_, index) => index)) {
      expect(await put(headers, body, cut), `cut at ${cut}`).toBe('200 ');
    }
    expect(await stored()).toBe('0123\n567');
  });

  it.each([
    ['without its trailer', chunks('\r\n'), 'BadDigest'],
    ['with the checksum of another body', chunks('x-amz-checksum-crc32:AAAAAA==\r\n\r\n'), 'BadDigest'],
    ['that ends early', '5\r\n0123\n\r\n3\r\n56', 'IncompleteBody'],
  ])('%s fails and is removed', async (_, body, code) => {
    expect(await put(headers, body)).toContain(`<Code>${code}</Code>`);
    await expect(stored()).rejects.toMatchObject({ name: 'NoSuchKey' });
  });
});
