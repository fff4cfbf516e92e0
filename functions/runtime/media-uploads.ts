import * as z from 'zod';
import { uploads } from '../../adapters/s3/uploads.ts';
import type { Uploads } from '../../core/uploads/ports.ts';
import { s3Client } from './clients/s3.ts';
import { readEnv } from './env.ts';
import { mediaPresigner } from './media-urls.ts';

const uploadEnv = z.object({ MEDIA_BUCKET: z.string(), AWS_ENDPOINT_URL_S3: z.url().optional() });

/** Uploads to the media bucket of the stage. */
export function mediaUploads(): Uploads {
  const { MEDIA_BUCKET, AWS_ENDPOINT_URL_S3 } = readEnv(uploadEnv);
  return uploads({ client: s3Client(AWS_ENDPOINT_URL_S3), bucket: MEDIA_BUCKET, presign: mediaPresigner() });
}
