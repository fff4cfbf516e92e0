import { HeadObjectCommand } from '@aws-sdk/client-s3';
import type { Place } from './open-object.ts';
import { asReadError, wasReplaced } from './read-error.ts';

/** An object as it was when it was looked up. */
export type KnownObject = {
  key: string;
  /** The ETag. */
  version: string;
  totalBytes: number;
};

/** An object, and the ETag of the version that is meant, if not any. */
export type WantedObject = { key: string; etag?: string };

/** What is said of an object that is not there. */
export const notStored = 'What was stored for this job is not there any more';

/** Measures an object. Throws JobError `INPUT_UNREACHABLE` where it is not there, or not the version that is meant. */
export async function lookUpObject(
  { client, bucket }: Place,
  { key, etag }: WantedObject,
  signal: AbortSignal,
): Promise<KnownObject> {
  const command = new HeadObjectCommand({ Bucket: bucket, Key: key, IfMatch: etag });
  const answer = await client.send(command, { abortSignal: signal }).catch((error: unknown) => {
    throw asReadError(error, notStored);
  });
  const { ETag: version = '', ContentLength: totalBytes = 0 } = answer;
  // Not every emulator heeds the condition.
  if (etag !== undefined && version !== etag) throw wasReplaced();
  return { key, version, totalBytes };
}
