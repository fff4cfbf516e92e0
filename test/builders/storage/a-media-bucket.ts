import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { onTestFinished } from 'vitest';
import type { BucketAccess } from '../../../adapters/s3/read-object.ts';
import { startS3 } from '../../../local/emulators/s3.ts';
import { emulatorTraffic } from '../../../local/emulators/traffic.ts';
import { aTemporaryDirectory } from '../recipes/encode.ts';
import { aBucket } from './a-bucket.ts';

export type MediaBucket = BucketAccess & {
  /** Stores a text and returns its ETag. */
  put(key: string, content: string | Buffer, contentType?: string): Promise<string>;
  /** Stores a file of this disk. */
  putFile(key: string, path: string): Promise<void>;
};

/** A bucket of the emulator that goes when the test has ended. */
export async function aMediaBucket(): Promise<MediaBucket> {
  const bucket = 'media';
  const { endpoint, stop } = await startS3(await aTemporaryDirectory(), emulatorTraffic());
  onTestFinished(stop);
  await aBucket(endpoint, bucket);
  const client = anS3ClientAt(endpoint);
  const place = { Bucket: bucket };
  return {
    client,
    bucket,
    async put(key, content, contentType) {
      const Body = Buffer.from(content);
      const object = { ...place, Key: key, Body, ContentType: contentType, ContentLength: Body.length };
      const { ETag = '' } = await client.send(new PutObjectCommand(object));
      return ETag;
    },
    async putFile(key, path) {
      const Body = createReadStream(path);
      const ContentLength = (await stat(path)).size;
      await client.send(new PutObjectCommand({ ...place, Key: key, Body, ContentLength }));
    },
  };
}

/** A client of an S3 at an address of this machine; ends with the test. */
export function anS3ClientAt(endpoint: string, { socketTimeout = 20_000 } = {}): S3Client {
  const client = new S3Client({
    endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    requestHandler: { socketTimeout },
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  onTestFinished(() => client.destroy());
  return client;
}
