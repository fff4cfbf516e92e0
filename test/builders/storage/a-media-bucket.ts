import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { clientOptions, s3Credentials } from '@media-jobs/local-stage/emulators';
import { afterUse } from '@media-jobs/testing/after-use';
import type { BucketAccess } from '../../../adapters/s3/read-object.ts';
import { anS3 } from './an-s3.ts';

export type MediaBucket = BucketAccess & {
  /** Stores an object and returns its ETag. */
  put(key: string, content: string | Buffer, contentType?: string): Promise<string>;
  /** Stores a local file. */
  putFile(key: string, path: string): Promise<void>;
};

/** An empty bucket, whose server stops after the test. */
export async function aMediaBucket(): Promise<MediaBucket> {
  const { bucket, ...options } = await anS3();
  const client = new S3Client({ ...options, requestHandler: { socketTimeout: 20_000 } });
  afterUse(() => client.destroy());
  const target = { Bucket: bucket };
  return {
    client,
    bucket,
    async put(key, content, contentType) {
      const Body = Buffer.from(content);
      const object = { ...target, Key: key, Body, ContentType: contentType, ContentLength: Body.length };
      const { ETag = '' } = await client.send(new PutObjectCommand(object));
      return ETag;
    },
    async putFile(key, path) {
      const Body = createReadStream(path);
      const ContentLength = (await stat(path)).size;
      await client.send(new PutObjectCommand({ ...target, Key: key, Body, ContentLength }));
    },
  };
}

/** An S3 client for an endpoint on this machine; destroyed after the test. */
export function anS3ClientAt(endpoint: string, { socketTimeout = 20_000 } = {}): S3Client {
  const client = new S3Client({
    ...clientOptions(endpoint),
    credentials: s3Credentials,
    forcePathStyle: true,
    requestHandler: { socketTimeout },
  });
  afterUse(() => client.destroy());
  return client;
}
