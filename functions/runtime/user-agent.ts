import * as z from 'zod';
import { readEnv } from './env.ts';

/** The User-Agent of downloads and webhooks. */
export function userAgent(): string {
  return `media-jobs/${readEnv(z.object({ SERVICE_VERSION: z.string() })).SERVICE_VERSION}`;
}
