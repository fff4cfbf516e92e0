import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListPartsCommand,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { AppError } from '../../core/errors.ts';
import { maxParts, type UploadPart, type Uploads } from '../../core/uploads/upload.ts';
import type { Presign } from './presign.ts';

export type UploadsOptions = {
  client: S3Client;
  bucket: string;
  presign: Presign;
  /** Lifetime of a URL, which ends with the credentials that sign it. */
  lifetimeSeconds: number;
};

export function uploads({ client, bucket, presign, lifetimeSeconds }: UploadsOptions): Uploads {
  const signEach = async (key: string, s3UploadId: string, parts: readonly UploadPart[]) => {
    const signed = await Promise.all(
      parts.map(({ partNumber, sizeBytes }) =>
        presign({
          method: 'PUT',
          key,
          query: { partNumber: String(partNumber), uploadId: s3UploadId },
          headers: { 'content-length': String(sizeBytes) },
          lifetimeSeconds,
        }),
      ),
    );
    const [first] = signed;
    if (first === undefined) throw new RangeError('Expected at least one part number, found none');
    return { partUrls: signed.map(({ url }) => url), expiresAt: first.expiresAt };
  };

  /** The parts of an upload that have arrived: at most `maxParts`, which one page holds. */
  const partsOf = async (key: string, s3UploadId: string, MaxParts: number) => {
    const lookup = new ListPartsCommand({ Bucket: bucket, Key: key, UploadId: s3UploadId, MaxParts });
    const { Parts = [] } = await client.send(lookup).catch(throwCallerError);
    return Parts;
  };

  return {
    signPut: ({ key, sizeBytes }) =>
      presign({ method: 'PUT', key, headers: { 'content-length': String(sizeBytes) }, lifetimeSeconds }),
    async createMultipartUpload({ key, contentType, parts }) {
      const { UploadId } = await client.send(
        new CreateMultipartUploadCommand({ Bucket: bucket, Key: key, ContentType: contentType }),
      );
      if (UploadId === undefined) throw new Error('S3 started a multipart upload without an id');
      return { s3UploadId: UploadId, ...(await signEach(key, UploadId, parts)) };
    },
    async signParts({ key, s3UploadId, parts }) {
      // Signing itself sends no request, and would return URLs of a missing upload.
      await partsOf(key, s3UploadId, 1);
      return signEach(key, s3UploadId, parts);
    },
    async completeMultipartUpload({ key, s3UploadId, parts }) {
      const Parts = parts.map(({ partNumber, etag }) => ({ PartNumber: partNumber, ETag: etag }));
      const command = { Bucket: bucket, Key: key, UploadId: s3UploadId, MultipartUpload: { Parts } };
      await client.send(new CompleteMultipartUploadCommand(command)).catch(throwCallerError);
    },
    async listParts({ key, s3UploadId }) {
      const parts = await partsOf(key, s3UploadId, maxParts);
      return parts.map(({ PartNumber = 0, Size = 0, ETag = '' }) => ({
        partNumber: PartNumber,
        sizeBytes: Size,
        etag: ETag,
      }));
    },
    async abortMultipartUpload({ key, s3UploadId }) {
      const command = { Bucket: bucket, Key: key, UploadId: s3UploadId };
      await client.send(new AbortMultipartUploadCommand(command)).catch(throwCallerError);
    },
  };
}

const partsMismatchMessage = 'The parts differ from the uploaded ones: send each number once, in order, with its ETag';

const partErrorMessages: Readonly<Record<string, string>> = {
  InvalidPart: partsMismatchMessage,
  InvalidPartOrder: partsMismatchMessage,
  EntityTooSmall: 'Every part but the last must have `partSizeBytes` bytes; S3 accepts none below 5 MiB',
};

/** Throws an error of S3 that the caller caused as an AppError, and other errors unchanged. */
function throwCallerError(cause: unknown): never {
  if (!(cause instanceof S3ServiceException)) throw cause;
  if (cause.name === 'NoSuchUpload') {
    throw new AppError('NOT_FOUND', 'There is no such upload; it may be complete, aborted or expired.', { cause });
  }
  const message = partErrorMessages[cause.name];
  if (message === undefined) throw cause;
  throw new AppError('VALIDATION_ERROR', `parts: ${message}`, { details: [{ path: 'parts', message }], cause });
}
