import type { SignedUrl } from '../jobs/ports.ts';
import type { AnnouncedUpload } from './upload-day.ts';

const mebibyte = 1024 ** 2;

/**
 * The parts of an upload by a worker: at most S3's limit (Amazon S3 User Guide, "Multipart upload limits"). Four concurrent
 * parts take 64 MiB of memory. They are larger for a file above 156 GiB only.
 */
const partsOfWorker = { maxParts: 10_000, minPartBytes: 16 * mebibyte };

/** The size of all parts but the last: whole mebibytes, of which the file has at most `maxParts`. */
export function choosePartSize(sizeBytes: number, limits = partsOfWorker): number {
  const neededBytes = Math.ceil(sizeBytes / limits.maxParts / mebibyte) * mebibyte;
  return Math.max(limits.minPartBytes, neededBytes);
}

/** S3's limit of one PUT (Amazon S3 User Guide, "Uploading objects"). */
export const maxSinglePutBytes = 5 * 1024 ** 3;

/** Maximum parts of an upload: the ETags of all of them have to fit into the 16 KiB of the request that completes it. */
export const maxParts = 200;

/** S3's minimum of every part but the last (Amazon S3 User Guide, "Multipart upload limits"). */
export const minPartBytes = 5 * 1024 ** 2;
/** Days for which an upload is kept, from its creation. */
export const uploadDays = 7;

const objectIdPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:-([1-9]\d{0,14}))?$/;

/**
 * The object id of a multipart upload. It contains the size of the file: S3 finds an upload only under its key, so
 * parts of another size than the announced one cannot be signed.
 */
export function multipartObjectId(id: string, sizeBytes: number): string {
  return `${id}-${sizeBytes}`;
}

/** The S3 key of an upload. It contains the owner, so that no other owner can address it. */
export function uploadKey(ownerId: string, objectId: string): string {
  return uploadsOfOwner(ownerId) + objectId;
}

/** The prefix of the keys of an owner's uploads. */
export function uploadsOfOwner(ownerId: string): string {
  return `uploads/${ownerId}/`;
}

/** In UTF-8. A URL has three characters for each byte, and the `inputUrl` must not be longer than the URL of an input. */
export const maxFilenameBytes = 600;

/** The `inputUrl` of an upload. Its file name is for display only. */
export function uploadInputUrl(objectId: string, filename = ''): string {
  return `upload://${objectId}/${encodeURIComponent(filename)}`;
}

/** Parses an `inputUrl`. Undefined if it is not one. */
export function parseUploadUrl(url: string): { objectId: string } | undefined {
  const [, objectId = ''] = /^upload:\/\/([^/]+)\/[\w%.~!*'()-]*$/.exec(url) ?? [];
  return objectIdPattern.test(objectId) ? { objectId } : undefined;
}

/** The size of each part except the last: whole mebibytes, in at most `maxParts` parts. */
export function choosePartSizeBytes(sizeBytes: number): number {
  return choosePartSize(sizeBytes, { maxParts, minPartBytes });
}

export type UploadPart = { partNumber: number; sizeBytes: number };

/** The parts of a file, numbered from 1. All but the last have the same size. */
export function partsOf(sizeBytes: number): UploadPart[] {
  const partSizeBytes = choosePartSizeBytes(sizeBytes);
  return Array.from({ length: Math.ceil(sizeBytes / partSizeBytes) }, (_, index) => ({
    partNumber: index + 1,
    sizeBytes: Math.min(partSizeBytes, sizeBytes - index * partSizeBytes),
  }));
}

/** The `uploadId` of a multipart upload: its object id and the upload id of S3. */
export function formatUploadId({ objectId, s3UploadId }: Omit<MultipartUpload, 'sizeBytes'>): string {
  return `${objectId}.${Buffer.from(s3UploadId).toString('base64url')}`;
}

/** Parses an `uploadId`. Undefined for any other text, also for one that decodes to the same bytes. */
export function parseUploadId(uploadId: string): MultipartUpload | undefined {
  const [objectId = '', encodedS3Id = ''] = uploadId.split('.');
  const s3UploadId = Buffer.from(encodedS3Id, 'base64url').toString();
  const [, size] = objectIdPattern.exec(objectId) ?? [];
  if (size === undefined) return undefined;
  if (formatUploadId({ objectId, s3UploadId }) !== uploadId) return undefined;
  if (!/^[\x21-\x7e]{1,1024}$/.test(s3UploadId)) return undefined;
  return { objectId, sizeBytes: Number(size), s3UploadId };
}

type MultipartUpload = { objectId: string; sizeBytes: number; s3UploadId: string };

type UploadedPart = { partNumber: number; etag: string };

type UnfinishedUpload = { key: string; s3UploadId: string };

/** Uploads to the media bucket by presigned URLs. The bytes go from the caller to S3 directly. */
export type Uploads = {
  signPut(file: { key: string; sizeBytes: number }): Promise<SignedUrl>;
  /** Creates a multipart upload and presigns the PUT of each part, of exactly its size. */
  createMultipartUpload(file: {
    key: string;
    contentType?: string | undefined;
    parts: readonly UploadPart[];
  }): Promise<{ s3UploadId: string; partUrls: string[]; expiresAt: Date }>;
  /**
   * Presigns new PUTs of parts, in their order.
   * @throws AppError NOT_FOUND for an unknown upload
   */
  signParts(file: UnfinishedUpload & { parts: readonly UploadPart[] }): Promise<{
    partUrls: string[];
    expiresAt: Date;
  }>;
  /**
   * Completes the upload. Idempotent while S3 keeps the upload id.
   * @throws AppError NOT_FOUND for an unknown upload, VALIDATION_ERROR for invalid parts
   */
  completeMultipartUpload(file: UnfinishedUpload & { parts: readonly UploadedPart[] }): Promise<void>;
  /**
   * The parts that have arrived, by number.
   * @throws AppError NOT_FOUND for an unknown upload
   */
  listParts(file: UnfinishedUpload): Promise<(UploadedPart & UploadPart)[]>;
  /**
   * Removes the parts of an upload.
   * @throws AppError NOT_FOUND for an unknown upload
   */
  abortMultipartUpload(file: UnfinishedUpload): Promise<void>;
};

/** The bytes that owners announced for uploads, by UTC day. */
export type UploadLedger = {
  /** Adds an upload to its day unless the day would exceed `maxBytes`. The same upload counts once. */
  add(upload: AnnouncedUpload, maxBytes: number): Promise<{ added: boolean; bytes: number }>;
  bytesOn(ownerId: string, day: string): Promise<number>;
};
