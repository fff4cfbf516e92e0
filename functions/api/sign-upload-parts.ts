import * as z from 'zod';
import { signUploadPartsContract } from '../../core/api/uploads.ts';
import { readEnv } from '../runtime/env.ts';
import { route } from '../runtime/http/route.ts';
import { mediaUploads } from '../runtime/media-uploads.ts';
import { signUploadParts } from './app/uploads.ts';

const env = readEnv(z.object({ MAX_INPUT_BYTES: z.coerce.number().int().min(1) }));

export const handler = route(
  signUploadPartsContract,
  signUploadParts({ uploads: mediaUploads(), maxInputBytes: env.MAX_INPUT_BYTES }),
);
