import * as z from 'zod';
import { uploadLedger } from '../../adapters/dynamodb/upload-ledger.ts';
import { systemClock } from '../../adapters/system/clock.ts';
import { createUploadContract } from '../../core/api/uploads.ts';
import { dynamo } from '../runtime/clients/dynamo.ts';
import { readEnv } from '../runtime/env.ts';
import { route } from '../runtime/http/route.ts';
import { mediaUploads } from '../runtime/media-uploads.ts';
import { readOwnerLimits } from '../runtime/owner-limits.ts';
import { newId } from '../runtime/random.ts';
import { createUpload } from './app/uploads.ts';

const env = readEnv(z.object({ TABLE_NAME: z.string(), MAX_INPUT_BYTES: z.coerce.number().int().min(1) }));

export const handler = route(
  createUploadContract,
  createUpload({
    uploads: mediaUploads(),
    newId,
    maxInputBytes: env.MAX_INPUT_BYTES,
    ledger: uploadLedger(dynamo, env.TABLE_NAME),
    limits: readOwnerLimits(),
    clock: systemClock,
  }),
);
