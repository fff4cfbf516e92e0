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
import { JobError } from '@media-jobs/video/errors';
import type { FinalizeHandler, MiddlewareStack } from '@smithy/types';
import type { ObjectStore, ProviderUpload } from '../../core/storage/object-store.ts';
import { choosePartSize } from '../../core/uploads/upload.ts';
import { retryTransient } from '../http/open-source.ts';
import type { BucketAccess } from '../s3/read-object.ts';
import { type Pacing, systemPacing } from '../system/clock.ts';
import { md5Of } from './provider-client.ts';
import { describeProviderFailure, mayPass, withUploadErrors } from './provider-error.ts';

const concurrentParts = 4;
/** With the five retries of a request: full jitter over 16 s at most, so that an outage of two seconds rarely fails a job. */
const maxFirstPauseMs = 500;
const markName = 'media-jobs-publication';

export function objectStore(
  { client, bucket: Bucket }: BucketAccess,
  prefix: string | undefined,
  { sleep, random }: Pacing = systemPacing,
): ObjectStore {
  const withBackoff = <T>(signal: AbortSignal, request: () => Promise<T>) =>
    retryTransient({ network: { pause: sleep }, signal }, request, {
      isRetried: mayPass,
      pauseMs: (retries) => random() * maxFirstPauseMs * 2 ** retries,
    });
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
    begin: (
      { key: Key, mimeType: ContentType, mark, headers: { cacheControl, contentDisposition } = {}, ...options },
      signal,
    ) =>
      withUploadErrors(async () => {
        const Metadata = { [markName]: mark };
        const command = new CreateMultipartUploadCommand({
          ...{ Bucket, Key, ContentType, Metadata },
          CacheControl: cacheControl,
          ContentDisposition: contentDisposition,
          StorageClass: options.storageClass,
          Tagging: options.tags && new URLSearchParams(options.tags).toString(),
        });
        dropSdkRetries(command.middlewareStack);
        const { UploadId } = await withBackoff(signal, () => client.send(command, { abortSignal: signal }));
        if (UploadId === undefined) throw missingField('an upload id');
        return { key: Key, uploadId: UploadId };
      }, signal),
    send: ({ key: Key, uploadId: UploadId }, { path, signal: outer, onProgress }) =>
      withUploadErrors(async () => {
        const failed = new AbortController();
        const signal = AbortSignal.any([outer, failed.signal]);
        const file = await open(path);
        try {
          const { size } = await file.stat();
          // R2 demands parts of equal size.
          const partSizeBytes = choosePartSize(size);
          const etags: string[] = new Array(Math.max(1, Math.ceil(size / partSizeBytes)));
          let sent = 0;
          let next = 0;
          const sendParts = async () => {
            for (let index = next++; index < etags.length; index = next++) {
              const length = Math.min(partSizeBytes, size - index * partSizeBytes);
              const Body = Buffer.alloc(length);
              await file.read(Body, 0, length, index * partSizeBytes);
              const part = { Bucket, Key, UploadId, PartNumber: index + 1, Body, ContentMD5: md5Of(Body) };
              const command = new UploadPartCommand(part);
              dropSdkRetries(command.middlewareStack);
              const { ETag } = await withBackoff(signal, () => client.send(command, { abortSignal: signal }));
              if (!ETag) throw missingField('the ETag of a part');
              etags[index] = ETag;
              sent += length;
              onProgress(sent);
            }
          };
          await Promise.all(Array.from({ length: concurrentParts }, sendParts));
          return etags;
        } finally {
          // After an error of one part, the others are not sent again.
          failed.abort();
          await file.close();
        }
      }, outer),
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
          const found = stored === undefined ? 'does not show the file' : `stored ${stored.ContentLength} bytes`;
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

/** Sends a command once: the SDK's retries end within half a second, and would multiply those with backoff. */
function dropSdkRetries<In extends object, Out extends object>(stack: MiddlewareStack<In, Out>): void {
  stack.add((next: FinalizeHandler<In, Out>) => next, {
    name: 'retryMiddleware',
    step: 'finalizeRequest',
    priority: 'high',
    override: true,
  });
}

function missingField(field: string): JobError {
  return new JobError('UPLOAD_ERROR', `The storage provider answered without ${field}.`);
}
