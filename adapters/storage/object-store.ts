import { open } from 'node:fs/promises';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { JobError } from '../../core/errors.ts';
import type { ObjectStore, ProviderUpload } from '../../core/storage/object-store.ts';
import type { BucketAccess } from '../s3/read-object.ts';
import { withUploadErrors } from './job-errors.ts';
import { describeProviderFailure } from './provider-error.ts';

/** R2 demands parts of equal size. 10,000 parts of 16 MiB are 160 GB. */
const partSizeBytes = 16 * 1024 * 1024;
const concurrentParts = 4;
const markName = 'media-jobs-publication';

/** The objects of a storage provider. */
export function objectStore(
  { client, bucket: Bucket }: BucketAccess,
  prefix: string | undefined,
): ObjectStore {
  const headers = async (Key: string, options: { abortSignal?: AbortSignal } = {}) => {
    try {
      return await client.send(new HeadObjectCommand({ Bucket, Key }), options);
    } catch (error) {
      // 403: the object is missing, and the access does not include listing it.
      if ([403, 404].includes(describeProviderFailure(error)?.status ?? 0)) return undefined;
      throw error;
    }
  };
  const abort = ({ key: Key, uploadId: UploadId }: ProviderUpload) =>
    client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })).catch((error: unknown) => {
      if (describeProviderFailure(error)?.status !== 404) throw error;
    });

  return {
    prefix,
    begin: ({ key: Key, mimeType: ContentType, mark }) =>
      withUploadErrors(async () => {
        const Metadata = { [markName]: mark };
        const command = new CreateMultipartUploadCommand({ Bucket, Key, ContentType, Metadata });
        const { UploadId } = await client.send(command);
        if (UploadId === undefined) throw missingField('an upload id');
        return { key: Key, uploadId: UploadId };
      }),
    send: ({ key: Key, uploadId: UploadId }, { path, signal, onProgress }) =>
      withUploadErrors(async () => {
        const file = await open(path);
        try {
          const { size } = await file.stat();
          const etags: string[] = new Array(Math.max(1, Math.ceil(size / partSizeBytes)));
          let sent = 0;
          let next = 0;
          const sendParts = async () => {
            for (let index = next++; index < etags.length; index = next++) {
              const length = Math.min(partSizeBytes, size - index * partSizeBytes);
              const Body = Buffer.alloc(length);
              await file.read(Body, 0, length, index * partSizeBytes);
              const part = { Bucket, Key, UploadId, PartNumber: index + 1, Body };
              const { ETag } = await client.send(new UploadPartCommand(part), { abortSignal: signal });
              if (!ETag) throw missingField('the ETag of a part');
              etags[index] = ETag;
              sent += length;
              onProgress(sent);
            }
          };
          await Promise.all(Array.from({ length: concurrentParts }, sendParts));
          return etags;
        } finally {
          await file.close();
        }
      }, signal),
    complete: ({ key: Key, uploadId: UploadId, etags, sizeBytes }, mark, signal) =>
      withUploadErrors(async () => {
        const options = signal && { abortSignal: signal };
        const Parts = etags.map((ETag, index) => ({ ETag, PartNumber: index + 1 }));
        const command = { Bucket, Key, UploadId, MultipartUpload: { Parts } };
        try {
          await client.send(new CompleteMultipartUploadCommand(command), options);
        } catch (error) {
          // An earlier call completed it, and its response was lost.
          if ((await headers(Key, options))?.Metadata?.[markName] !== mark) throw error;
        }
        const stored = await headers(Key, options);
        if (stored?.ContentLength !== sizeBytes) {
          const found =
            stored === undefined ? 'does not show the file' : `stored ${stored.ContentLength} bytes`;
          throw new JobError('UPLOAD_ERROR', `The storage provider ${found}; ${sizeBytes} bytes were sent.`);
        }
      }, signal),
    abort: (upload) => withUploadErrors(async () => void (await abort(upload))),
    unfinished: (key) =>
      withUploadErrors(async () => {
        const command = new ListMultipartUploadsCommand({ Bucket, Prefix: key, MaxUploads: 50 });
        const { Uploads = [] } = await client.send(command);
        return Uploads.flatMap(({ Key, UploadId }) =>
          Key === key && UploadId !== undefined ? [{ key, uploadId: UploadId }] : [],
        );
      }),
    remove: (Key, mark) =>
      withUploadErrors(async () => {
        if ((await headers(Key))?.Metadata?.[markName] !== mark) return;
        await client.send(new DeleteObjectCommand({ Bucket, Key }));
      }),
  };
}

function missingField(field: string): JobError {
  return new JobError('UPLOAD_ERROR', `The storage provider answered without ${field}.`);
}
