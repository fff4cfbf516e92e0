import * as z from 'zod';
import type { FileLinks } from '../../core/jobs/ports.ts';
import { type Presign, presigner } from '../s3/presign.ts';
import { systemClock } from '../system/clock.ts';
import { dynamo } from './clients/dynamo.ts';
import { readEnv } from './env.ts';

const mediaEnv = z.object({
  AWS_REGION: z.string(),
  MEDIA_BUCKET: z.string(),
  AWS_ENDPOINT_URL_S3: z.url().optional(),
});

const linkEnv = z.object({
  PUBLIC_URL: z.url(),
  SIGNED_URL_SECONDS: z.coerce.number().int().min(1),
  STREAM_URL_SECONDS: z.coerce.number().int().min(1),
});

/** Presigns URLs of the media bucket with the function's role. A URL has the permissions of that role. */
export function mediaPresigner(): Presign {
  const { AWS_REGION, MEDIA_BUCKET, AWS_ENDPOINT_URL_S3 } = readEnv(mediaEnv);
  return presigner({
    region: AWS_REGION,
    credentials: dynamo.config.credentials,
    // An emulator has one host for all buckets.
    bucketUrl:
      AWS_ENDPOINT_URL_S3 === undefined
        ? `https://${MEDIA_BUCKET}.s3.${AWS_REGION}.amazonaws.com`
        : `${AWS_ENDPOINT_URL_S3}/${MEDIA_BUCKET}`,
    clock: systemClock,
  });
}

export function fileLinks(): FileLinks {
  const env = readEnv(linkEnv);
  return { publicUrl: env.PUBLIC_URL, fileUrlSeconds: env.SIGNED_URL_SECONDS, setUrlSeconds: env.STREAM_URL_SECONDS };
}
