import { AppError } from '../errors.ts';
import { assertAllowedUrl, type UrlRules } from '../net/check-url.ts';

const mebibyte = 1024 ** 2;

/** The most that S3 takes in one PUT (Amazon S3 User Guide, "Uploading objects"). */
export const maxSinglePutBytes = 5 * 1024 ** 3;

/** The ETags of so many parts fit into the body of a request. */
export const maxParts = 200;

const minPartBytes = 64 * mebibyte;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Where an upload lies in the media bucket. It is found through its owner only. */
export function uploadKey(ownerId: string, objectId: string): string {
  return `uploads/${ownerId}/${objectId}`;
}

/** The URL that names an upload as an input. The file's name in it is for people alone. */
export function uploadInputUrl(objectId: string, filename = ''): string {
  return `upload://${objectId}/${encodeURIComponent(filename)}`;
}

/** Whether a URL is meant to name an upload, well formed or not. */
export function isUploadUrl(url: string): boolean {
  return /^upload:/i.test(url);
}

/** Which upload a URL names; undefined for a URL that no upload has. */
export function parseUploadUrl(url: string): { objectId: string } | undefined {
  const [, objectId = ''] = /^upload:\/\/([^/]+)\/[\w%.~!*'()-]*$/.exec(url) ?? [];
  return uuid.test(objectId) ? { objectId } : undefined;
}

/** The size of each part but the last: whole mebibytes, and no more parts than fit. */
export function choosePartSizeBytes(sizeBytes: number): number {
  const least = Math.ceil(sizeBytes / maxParts / mebibyte) * mebibyte;
  return Math.max(minPartBytes, least);
}

/** The id of an upload in parts as its caller knows it: its object, and what S3 calls the upload. */
export function formatUploadId({ objectId, s3UploadId }: MultipartUploadRef): string {
  return `${objectId}.${Buffer.from(s3UploadId).toString('base64url')}`;
}

/** Undefined for a text that is not the id of an upload. */
export function parseUploadId(uploadId: string): MultipartUploadRef | undefined {
  const [objectId = '', rest = ''] = uploadId.split('.');
  const s3UploadId = Buffer.from(rest, 'base64url').toString();
  if (!uuid.test(objectId) || !/^[\x21-\x7e]{1,1024}$/.test(s3UploadId)) return undefined;
  return { objectId, s3UploadId };
}

type MultipartUploadRef = { objectId: string; s3UploadId: string };

const message = 'This is not the inputUrl of an upload: use it unchanged';

/** Refuses the URL of an input by its text: an upload's, or one of the web. Throws AppError INVALID_URL. */
export function assertAllowedInputUrl(url: string, path: string, rules: UrlRules): void {
  if (!isUploadUrl(url)) {
    assertAllowedUrl(url, path, rules);
    return;
  }
  if (parseUploadUrl(url) !== undefined) return;
  throw new AppError('INVALID_URL', `${path}: ${message}`, { details: [{ path, message }] });
}
