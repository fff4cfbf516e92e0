import type { SignedUrl } from '../jobs/ports.ts';

export type UploadedPart = { partNumber: number; etag: string };

/** Where uploads go. Files travel between the caller and the bucket, never through us. */
export type Uploads = {
  /** A presigned PUT of a whole file of exactly so many bytes. */
  signPut(file: { key: string; sizeBytes: number }): Promise<SignedUrl>;
  /** Begins an upload in parts and presigns the PUT of each. */
  createMultipartUpload(file: { key: string; contentType?: string | undefined; parts: number }): Promise<{
    s3UploadId: string;
    partUrls: string[];
    expiresAt: Date;
  }>;
  /**
   * Presigns the PUTs of some parts anew, in the order of their numbers here.
   * @throws AppError NOT_FOUND for an unknown upload
   */
  signParts(file: { key: string; s3UploadId: string; partNumbers: readonly number[] }): Promise<{
    partUrls: string[];
    expiresAt: Date;
  }>;
  /**
   * Joins the parts; repeating it is harmless while S3 remembers the upload.
   * @throws AppError NOT_FOUND for an unknown upload, VALIDATION_ERROR for parts that do not fit
   */
  completeMultipartUpload(file: {
    key: string;
    s3UploadId: string;
    parts: readonly UploadedPart[];
  }): Promise<void>;
};
