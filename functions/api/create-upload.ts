import * as z from 'zod';
import { createUploadContract } from '../../core/api/uploads.ts';
import { readEnv } from '../runtime/env.ts';
import { route } from '../runtime/http/route.ts';
import { mediaUploads } from '../runtime/media-uploads.ts';
import { newId } from '../runtime/random.ts';
import { createUpload } from './app/uploads.ts';

const env = readEnv(z.object({ MAX_INPUT_BYTES: z.coerce.number().int().min(1) }));

export const handler = route(
  createUploadContract,
  createUpload({ uploads: mediaUploads(), newId, maxInputBytes: env.MAX_INPUT_BYTES }),
);
