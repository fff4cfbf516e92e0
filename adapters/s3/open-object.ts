import { addAbortSignal, Readable } from 'node:stream';
import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { inputReplacedError } from './read-error.ts';

/** A bucket, and the client that reads from it. */
export type BucketAccess = { client: S3Client; bucket: string };

/** Bytes of one version of an object, from `start` up to but without `end`. */
export type ObjectRange = {
  key: string;
  start: number;
  end: number;
  /** The ETag. */
  version: string;
};

export type OpenedObject = {
  /** Is destroyed when the signal aborts. */
  body: Readable;
  /** Bytes that the body has. */
  bytes: number;
  version: string;
};

/** Asks for a part of an object, or for all of whatever version there is. */
export async function openObject(
  { client, bucket }: BucketAccess,
  asked: ObjectRange | { key: string },
  signal: AbortSignal,
): Promise<OpenedObject> {
  const part = 'version' in asked ? asked : undefined;
  const command = new GetObjectCommand({
    Bucket: bucket,
    Key: asked.key,
    ...(part && { Range: `bytes=${part.start}-${part.end - 1}`, IfMatch: part.version }),
  });
  const answer = await client.send(command, { abortSignal: signal });
  const { Body: body, ContentLength: bytes = 0, ETag: version = '' } = answer;
  if (!(body instanceof Readable)) throw new Error('S3 answered without a body');
  // Not every emulator heeds the condition.
  if (part && version !== part.version) {
    body.destroy();
    throw inputReplacedError();
  }
  if (part && bytes !== part.end - part.start) {
    body.destroy();
    throw new Error(`S3 sent ${bytes} bytes where ${part.end - part.start} were asked for`);
  }
  return { body: addAbortSignal(signal, body), bytes, version };
}
