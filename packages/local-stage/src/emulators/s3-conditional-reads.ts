import { stat } from 'node:fs/promises';
import type S3rver from 's3rver';
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
