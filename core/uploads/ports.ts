import type { SignedUrl } from '../jobs/ports.ts';
import type { UploadPart } from './upload.ts';
import type { AnnouncedUpload } from './upload-day.ts';

export type UploadedPart = { partNumber: number; etag: string };

export type UnfinishedUpload = { key: string; s3UploadId: string };

/** Uploads to the media bucket by presigned URLs. The bytes go from the caller to S3 directly. */
export type Uploads = {
  /** Presigns a PUT of a file of exactly `sizeBytes`. */
  signPut(file: { key: string; sizeBytes: number }): Promise<SignedUrl>;
  /** Creates a multipart upload and presigns the PUT of each part, of exactly its size. */
  createMultipartUpload(file: {
    key: string;
    contentType?: string | undefined;
    parts: readonly UploadPart[];
  }): Promise<{
    s3UploadId: string;
    partUrls: string[];
    expiresAt: Date;
  }>;
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
