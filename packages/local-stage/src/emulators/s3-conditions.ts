import { stat } from 'node:fs/promises';
import type S3rver from 's3rver';
import S3Error from 's3rver/lib/models/error.js';
import { objectOf, preconditionFailed } from './s3-request.ts';

/**
 * Adds to s3rver what S3 has for GetObject and HeadObject: `If-Match`, `If-Range`, the ranges of the first byte and of the last
 * bytes. S3 ignores several ranges and those that are none.
 */
export function readConditionally({ middleware, store }: S3rver): void {
  const { getObject } = store;
  // s3rver takes an end of 0 for none. An object with this value passes its test.
  store.getObject = (bucket, key, range) =>
    getObject.call(store, bucket, key, range?.end === 0 ? { ...range, end: { valueOf: () => 0 } } : range);
  middleware.unshift(async (context, next) => {
    const { method, headers } = context;
    const { range, 'if-match': ifMatch, 'if-range': ifRange } = headers;
    if (!['GET', 'HEAD'].includes(method) || (range ?? ifMatch) === undefined) return next();
    const { bucket, key } = objectOf(context);
    const object = key === '' ? undefined : await store.getMetadata(bucket, key).catch(() => undefined);
    if (object === undefined) return next();
    if (ifMatch !== undefined && !['*', object.etag].includes(ifMatch)) throw preconditionFailed();
    const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(range ?? '') ?? [];
    const isRange = first || last ? !(first && last && Number(last) < Number(first)) : false;
    if (!isRange || (ifRange !== undefined && ifRange !== object.etag)) delete headers.range;
    else if (!first) {
      const { size } = await stat(store.getResourcePath(bucket, key, 'object'));
      headers.range = `bytes=${Math.max(0, size - Number(last))}-`;
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
