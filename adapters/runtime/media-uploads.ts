import * as z from 'zod';
import type { Uploads } from '../../core/uploads/ports.ts';
import { uploads } from '../s3/uploads.ts';
import { s3Client } from './clients/s3.ts';
import { readEnv } from './env.ts';
import { mediaPresigner } from './media-urls.ts';

const uploadEnv = z.object({
  MEDIA_BUCKET: z.string(),
  AWS_ENDPOINT_URL_S3: z.url().optional(),
  UPLOAD_URL_SECONDS: z.coerce.number().int().min(1),
});

/** Uploads to the media bucket of the stage. */
export function mediaUploads(): Uploads {
  const env = readEnv(uploadEnv);
  return uploads({
    client: s3Client(env.AWS_ENDPOINT_URL_S3),
    bucket: env.MEDIA_BUCKET,
    presign: mediaPresigner(),
    lifetimeSeconds: env.UPLOAD_URL_SECONDS,
  });
}
