import type S3rver from 's3rver';
import S3Error from 's3rver/lib/models/error.js';
import { objectOf } from './s3-request.ts';

const pageSize = 1000;

/** Adds ListObjectVersions to s3rver, whose buckets have no versions: each object has the version `null`. */
export function listVersions({ middleware, store }: S3rver): void {
  middleware.unshift(async (context, next) => {
    const { method, query } = context;
    const { bucket, key } = objectOf(context);
    if (method !== 'GET' || query.versions === undefined || key !== '') return next();
    if ((await store.getBucket(bucket)) === undefined)
      throw new S3Error('NoSuchBucket', 'The specified bucket does not exist');
    const { prefix = '', 'key-marker': startAfter = '' } = query;
    const { objects, isTruncated } = await store.listObjects(bucket, { prefix, startAfter, maxKeys: pageSize });
    const versions = objects.map(
      ({ key, size, lastModifiedDate, metadata }) =>
        `<Version><Key>${encodeURIComponent(key)}</Key><VersionId>null</VersionId><IsLatest>true</IsLatest>` +
        `<LastModified>${lastModifiedDate.toISOString()}</LastModified><ETag>${metadata.etag.replaceAll('"', '&quot;')}</ETag><Size>${size}</Size></Version>`,
    );
    const nextMarker = isTruncated
      ? `<NextKeyMarker>${encodeURIComponent(objects.at(-1)?.key ?? '')}</NextKeyMarker>`
      : '';
    context.type = 'application/xml';
    context.body = `<ListVersionsResult><EncodingType>url</EncodingType><IsTruncated>${isTruncated}</IsTruncated>${nextMarker}${versions.join('')}</ListVersionsResult>`;
  });
}
