import * as z from 'zod';
import { idempotencyTable } from '../../../adapters/dynamodb/idempotency-table.ts';
import { uploadLedger } from '../../../adapters/dynamodb/upload-ledger.ts';
import { dynamo } from '../../../adapters/runtime/clients/dynamo.ts';
import { readEnv, readOwnerLimits } from '../../../adapters/runtime/env.ts';
import { route } from '../../../adapters/runtime/http/route.ts';
import { newId } from '../../../adapters/runtime/random.ts';
import { systemClock } from '../../../adapters/system/clock.ts';
import { createUploadContract } from '../../../core/api/uploads.ts';
import { createUpload } from '../uploads.ts';
import { mediaUploads } from './media-uploads.ts';

const env = readEnv(z.object({ TABLE_NAME: z.string(), MAX_INPUT_BYTES: z.coerce.number().int().min(1) }));

export const handler = route(
  createUploadContract,
  createUpload({
    uploads: mediaUploads(),
    newId,
    maxInputBytes: env.MAX_INPUT_BYTES,
    ledger: uploadLedger(dynamo, env.TABLE_NAME),
    reservations: idempotencyTable(dynamo, env.TABLE_NAME),
    limits: readOwnerLimits(),
    clock: systemClock,
  }),
);
