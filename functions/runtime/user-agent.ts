import * as z from 'zod';
import { readEnv } from './env.ts';

/** How this service names itself to the servers that it downloads from and posts to. */
export function userAgent(): string {
  return `media-jobs/${readEnv(z.object({ SERVICE_VERSION: z.string() })).SERVICE_VERSION}`;
}
