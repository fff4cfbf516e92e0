import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type S3rver from 's3rver';
import S3Error from 's3rver/lib/models/error.js';
import { crc32Of } from './s3-checksums.ts';
import { noSuchUpload, objectOf, preconditionFailed, uploadDirectory } from './s3-request.ts';

/** S3 copies ranges of larger objects only (API reference, UploadPartCopy). */
const minSourceBytes = 5 * 1000 * 1000;
const maxPartBytes = 5 * 1024 ** 3;

/** Adds UploadPartCopy to s3rver, with ranges and the condition on the version of the source. */
export function copyParts({ middleware, store }: S3rver): void {
  middleware.unshift(async (context, next) => {
    const { method, query, headers } = context;
    const { uploadId, partNumber } = query;
    const source = headers['x-amz-copy-source'];
    if (method !== 'PUT' || !uploadId || !partNumber || source === undefined) return next();
    const { bucket: target } = objectOf(context);
    await stat(uploadDirectory(store, target, uploadId)).catch(() => {
      throw noSuchUpload();
    });
    const { bucket, key } = objectOf({ path: source.replace(/^\/?/, '/') });
    const object = await store.getMetadata(bucket, key).catch(() => {
      throw new S3Error('NoSuchKey', 'The specified key does not exist.');
    });
    const expected = headers['x-amz-copy-source-if-match'];
    if (expected !== undefined && unquoted(expected) !== unquoted(object.etag)) throw preconditionFailed();
    const sourcePath = store.getResourcePath(bucket, key, 'object');
    const range = rangeOf(headers['x-amz-copy-source-range'], (await stat(sourcePath)).size);
    const open = () => createReadStream(sourcePath, range);
    const { md5 } = await store.putPart(target, uploadId, partNumber, open());
    context.type = 'application/xml';
    const checksum = `<ChecksumCRC32>${await crc32Of(open())}</ChecksumCRC32>`;
    const modified = `<LastModified>${new Date().toISOString()}</LastModified>`;
    context.body = `<CopyPartResult>${modified}<ETag>"${md5}"</ETag>${checksum}</CopyPartResult>`;
  });
}

/** The range, whose end is included. Undefined without the header: the whole object. */
function rangeOf(header: string | undefined, sourceBytes: number): { start: number; end: number } {
  if (header === undefined) return { start: 0, end: sourceBytes - 1 };
  const [, first = '', last = ''] = /^bytes=(\d+)-(\d+)$/.exec(header) ?? [];
  const [start, end] = [Number(first), Number(last)];
  if (first === '' || start > end || end >= sourceBytes || sourceBytes <= minSourceBytes) {
    throw new S3Error(
      'InvalidArgument',
      `The x-amz-copy-source-range ${header} is not valid for a source object of size ${sourceBytes}`,
    );
  }
  if (end + 1 - start > maxPartBytes) {
    throw new S3Error('InvalidRequest', 'The specified copy source is larger than the maximum allowable size');
  }
  return { start, end };
}

function unquoted(etag: string): string {
  return etag.replaceAll('"', '');
}
