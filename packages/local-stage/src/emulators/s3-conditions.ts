import { stat } from 'node:fs/promises';
import type S3rver from 's3rver';
import S3Error from 's3rver/lib/models/error.js';
import { objectOf, preconditionFailed } from './s3-request.ts';

/** Adds to s3rver what S3 has for GetObject and HeadObject: `If-Match`, `If-Range`, and the range of the last bytes. */
export function readConditionally({ middleware, store }: S3rver): void {
  middleware.unshift(async (context, next) => {
    const { method, headers } = context;
    const { range, 'if-match': ifMatch, 'if-range': ifRange } = headers;
    if (!['GET', 'HEAD'].includes(method) || (range ?? ifMatch) === undefined) return next();
    const { bucket, key } = objectOf(context);
    const object = key === '' ? undefined : await store.getMetadata(bucket, key).catch(() => undefined);
    if (object === undefined) return next();
    if (ifMatch !== undefined && !['*', object.etag].includes(ifMatch)) throw preconditionFailed();
    const [, lastBytes] = /^bytes=-(\d+)$/.exec(range ?? '') ?? [];
    if (ifRange !== undefined && ifRange !== object.etag) delete headers.range;
    else if (lastBytes !== undefined) {
      const { size } = await stat(store.getResourcePath(bucket, key, 'object'));
      headers.range = `bytes=${Math.max(0, size - Number(lastBytes))}-`;
    }
    return next();
  });
}

/** Adds `If-None-Match: *` of PutObject to s3rver: of the writes of a new key the first one succeeds. */
export function writeConditionally({ middleware, store }: S3rver): void {
  const writing = new Map<string, Promise<unknown>>();
  middleware.unshift(async (context, next) => {
    const { method, path, query, headers } = context;
    const expected = headers['if-none-match'];
    if (method !== 'PUT' || expected === undefined || query.uploadId !== undefined) return next();
    // Amazon S3 User Guide, "How to prevent object overwrites with conditional writes".
    if (expected !== '*') throw new S3Error('NotImplemented', 'If-None-Match of PutObject supports * only');
    const { bucket, key } = objectOf(context);
    const earlier = writing.get(path) ?? Promise.resolve();
    const write = earlier.then(async () => {
      const exists = await store.getMetadata(bucket, key).then(
        () => true,
        () => false,
      );
      if (exists) throw preconditionFailed();
      await next();
    });
    const settled = write.catch(() => undefined);
    writing.set(path, settled);
    await write.finally(() => {
      if (writing.get(path) === settled) writing.delete(path);
    });
  });
}
