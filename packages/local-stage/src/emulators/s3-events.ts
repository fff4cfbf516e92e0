import type S3rver from 's3rver';
import { objectOf } from './s3-request.ts';

/** An object that a request has stored. */
export type CreatedObject = { bucket: string; key: string; sizeBytes: number; etag: string; reason: string };

/** Calls `onCreated` after each request that stores an object, and has ended well. */
export function reportCreated({ middleware, store }: S3rver, onCreated: (object: CreatedObject) => void): void {
  middleware.unshift(async (context, next) => {
    await next();
    const reason = reasonOf(context);
    if (reason === undefined || context.status >= 300) return;
    const { bucket, key } = objectOf(context);
    const { etag, 'content-length': size } = await store.getMetadata(bucket, key);
    onCreated({ bucket, key, sizeBytes: Number(size), etag: etag.replaceAll('"', ''), reason });
  });
}

/** The `reason` of the event (Amazon S3 User Guide, "EventBridge event message structure"). */
function reasonOf({ method, path, query, headers }: Parameters<S3rver['middleware'][number]>[0]): string | undefined {
  if (objectOf({ path }).key === '') return undefined;
  if (method === 'POST') return query.uploadId === undefined ? undefined : 'CompleteMultipartUpload';
  if (method !== 'PUT' || ['uploadId', 'acl', 'tagging'].some((name) => query[name] !== undefined)) return undefined;
  return headers['x-amz-copy-source'] === undefined ? 'PutObject' : 'CopyObject';
}
