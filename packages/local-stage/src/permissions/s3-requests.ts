import type { AccessRequest } from './access-request.ts';

/** The fields of an S3 request that decide which permissions it needs. `path` is decoded: `/bucket/key`. */
export type S3Request = {
  method: string;
  path: string;
  query: URLSearchParams;
  /** `x-amz-copy-source`, decoded. */
  copySource?: string | undefined;
  /** Whether tags are set with the object: `x-amz-tagging`. */
  hasTags?: boolean;
  body?: string | undefined;
};

/**
 * The permissions that a path-style request needs (Amazon S3 User Guide, "Required permissions for Amazon S3 API
 * operations").
 */
export function s3Access({ method, path, query, copySource, hasTags = false, body = '' }: S3Request): AccessRequest[] {
  const [bucket = '', ...rest] = path.replace(/^\//, '').split('/');
  const key = rest.join('/');
  const bucketArn = `arn:aws:s3:::${bucket}`;
  if (key === '') return bucketAccess({ method, query, body }, bucketArn);
  const onObject = (action: string): AccessRequest => ({
    action: `s3:${action}`,
    resourceArn: `${bucketArn}/${key}`,
  });
  const isMultipart = query.has('uploadId');
  if (method === 'GET' || method === 'HEAD') return [onObject(isMultipart ? 'ListMultipartUploadParts' : 'GetObject')];
  if (method === 'DELETE') return [onObject(isMultipart ? 'AbortMultipartUpload' : 'DeleteObject')];
  const source = copySource?.replace(/^\//, '');
  const reads = source === undefined ? [] : [{ action: 's3:GetObject', resourceArn: `arn:aws:s3:::${source}` }];
  return [...reads, onObject('PutObject'), ...(hasTags ? [onObject('PutObjectTagging')] : [])];
}

function bucketAccess(
  { method, query, body }: { method: string; query: URLSearchParams; body: string },
  bucketArn: string,
): AccessRequest[] {
  if (method === 'POST' && query.has('delete')) {
    return [...body.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = '']) => ({
      action: 's3:DeleteObject',
      resourceArn: `${bucketArn}/${decodeXml(key)}`,
    }));
  }
  if (method === 'PUT') return [{ action: 's3:CreateBucket', resourceArn: bucketArn }];
  if (method === 'DELETE') return [{ action: 's3:DeleteBucket', resourceArn: bucketArn }];
  if (query.has('uploads')) return [{ action: 's3:ListBucketMultipartUploads', resourceArn: bucketArn }];
  const prefix = query.get('prefix');
  return [
    {
      action: query.has('versions') ? 's3:ListBucketVersions' : 's3:ListBucket',
      resourceArn: bucketArn,
      ...(prefix === null ? {} : { context: { 's3:prefix': prefix } }),
    },
  ];
}

function decodeXml(text: string): string {
  const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
  return text.replaceAll(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => entities[name] ?? '');
}
