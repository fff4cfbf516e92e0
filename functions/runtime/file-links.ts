import * as z from 'zod';
import { signDownload } from '../../adapters/s3/presign.ts';
import type { FileLinks } from '../../core/jobs/ports.ts';
import { readEnv } from './env.ts';
import { mediaPresigner } from './presigner.ts';

/** Where the finished files of jobs can be had: signed URLs of the bucket, and the API for those that name others. */
export function fileLinks(): FileLinks {
  const { PUBLIC_URL: publicUrl } = readEnv(z.object({ PUBLIC_URL: z.url() }));
  return { signDownload: signDownload(mediaPresigner()), publicUrl };
}
