import {
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type PutObjectCommandInput,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import pRetry from 'p-retry';
import type { ListedFiles, WorkFiles } from '../../core/jobs/chunked-ports.ts';
import { isMissing } from './read-object.ts';

/** Repetitions of a conditional write after conflicts. Their pauses last 3 to 6 s together. */
const maxConflicts = 5;

/**
 * Small files that the functions of a chunked job exchange. Needs `s3:ListBucket`; without it S3 answers 403 for a
 * missing key.
 */
export function workFiles(client: S3Client, bucket: string): WorkFiles & ListedFiles {
  const readText = (key: string) =>
    undefinedIfMissing(async () => {
      const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
      return Body?.transformToString();
    });
  const put = async (key: string, text: string, condition: Pick<PutObjectCommandInput, 'IfNoneMatch'> = {}) => {
    const object = { Bucket: bucket, Key: key, Body: text, ContentType: 'application/json' };
    await client.send(new PutObjectCommand({ ...object, ...condition }));
  };
  return {
    readText,
    writeText: (key, text) => put(key, text),
    async createText(key, text) {
      try {
        await pRetry(() => put(key, text, { IfNoneMatch: '*' }), {
          retries: maxConflicts,
          minTimeout: 100,
          randomize: true,
          // Another write or removal of the key overlapped (Amazon S3 API Reference, PutObject).
          shouldRetry: ({ error }) => isS3Error(error, 'ConditionalRequestConflict'),
        });
        return true;
      } catch (cause) {
        if (!isS3Error(cause, 'PreconditionFailed')) throw cause;
        // The client repeats a request whose answer was lost: then the object is its own.
        return (await readText(key)) === text;
      }
    },
    async list(prefix) {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix }));
      return Contents.flatMap(({ Key }) => Key ?? []);
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

async function undefinedIfMissing<Found>(read: () => Promise<Found>): Promise<Found | undefined> {
  try {
    return await read();
  } catch (cause) {
    if (isMissing(cause)) return undefined;
    throw cause;
  }
}

function isS3Error(cause: unknown, name: string): boolean {
  return cause instanceof S3ServiceException && cause.name === name;
}
