import * as z from 'zod';
import { s3Client } from '../../../adapters/runtime/clients/s3.ts';
import { readEnv } from '../../../adapters/runtime/env.ts';
import { mediaPresigner } from '../../../adapters/runtime/media-urls.ts';
import { uploads } from '../../../adapters/s3/uploads.ts';
import type { Uploads } from '../../../core/uploads/ports.ts';

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
