import { HeadObjectCommand } from '@aws-sdk/client-s3';
import type { BucketAccess } from './open-object.ts';
import { inputReplacedError, toReadError } from './read-error.ts';

/** An object as it was when it was looked up. */
export type ObjectVersion = {
  key: string;
  /** The ETag. */
  version: string;
  totalBytes: number;
};

/** An object, and the ETag of the version that is meant, if not any. */
export type ObjectRef = { key: string; etag?: string };

/** What is said of an object that is not there. */
export const objectMissingMessage = 'What was stored for this job is not there any more';

/** Measures an object. Throws JobError `INPUT_UNREACHABLE` where it is not there, or not the version that is meant. */
export async function headObject(
  { client, bucket }: BucketAccess,
  { key, etag }: ObjectRef,
  signal: AbortSignal,
): Promise<ObjectVersion> {
  const command = new HeadObjectCommand({ Bucket: bucket, Key: key, IfMatch: etag });
  const answer = await client.send(command, { abortSignal: signal }).catch((error: unknown) => {
    throw toReadError(error, objectMissingMessage);
  });
  const { ETag: version = '', ContentLength: totalBytes = 0 } = answer;
  // Not every emulator heeds the condition.
  if (etag !== undefined && version !== etag) throw inputReplacedError();
  return { key, version, totalBytes };
}
