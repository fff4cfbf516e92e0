import { GetObjectCommand, HeadObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import type { WorkFiles } from '../../core/chunking/ports.ts';
import { isMissing } from './read-error.ts';

/** Small files of the parts of jobs, for functions that may list the bucket: to others what is missing is forbidden. */
export function workFiles(client: S3Client, bucket: string): WorkFiles {
  return {
    readText: (key) =>
      undefinedIfMissing(async () => {
        const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
        return Body?.transformToString();
      }),
    async writeText(key, text) {
      const object = { Bucket: bucket, Key: key, Body: text, ContentType: 'application/json' };
      await client.send(new PutObjectCommand(object));
    },
    find: (key) =>
      undefinedIfMissing(async () => {
        const { ETag: etag = '', ContentLength: sizeBytes = 0 } = await client.send(
          new HeadObjectCommand({ Bucket: bucket, Key: key }),
        );
        return { etag, sizeBytes };
      }),
  };
}

async function undefinedIfMissing<Found>(ask: () => Promise<Found>): Promise<Found | undefined> {
  try {
    return await ask();
  } catch (cause) {
    if (isMissing(cause)) return undefined;
    throw cause;
  }
}
